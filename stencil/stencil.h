// The contracts of the assignment, a function per part.
#pragma once

#include <cuda_runtime.h>

#include "trace.h"
#include "work.h"
#include "workspace.h"

// Which of n items are active: the same truth in three forms, each in device memory, and the
// last form as a texture as well. Use any form.
struct Stencil {
  const int* flags;            // n ints, 1 for an active item, 0 for another
  const unsigned char* bytes;  // n bytes, 1 or 0
  const unsigned* words;       // ceil(n / 32) words: item i is bit i % 32 of word i / 32
  // tex1Dfetch<unsigned>(texture, w) is words[w]. Not to be used where n is 0.
  cudaTextureObject_t texture;
};

// Part stencil_test: does the work of the active items and leaves the others alone.
//
//   values[i] = work(values[i], rounds)    for each active item i; work() is in work.h
//
// n          number of items, >= 0
// active     the stencil; not modified. In its last word the bits from n on are 0. All three arrays
//            begin on a 16-byte boundary and may not be read beyond their ends.
// rounds     >= 0: the length of the work, the same for all items
// values     n values in device memory, on a 16-byte boundary
// workspace  4 * n + 4096 bytes, with arbitrary contents
//
// The caller owns everything. The work is queued in the default stream and need not have ended on
// return. Throws CudaError (through CUDA_CHECK).
void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace& workspace);

// Part write_back: the same, and items that die in the step clear their bit.
//
//   values[i] = work(values[i], rounds)    for each active item i, and then
//   bit i of words = survives(values[i])   where the bit was 1; a bit that is 0 stays 0
//
// n       number of items, >= 0
// words   ceil(n / 32) words in device memory, modified; in the last word the bits from n on are 0,
//         and must be 0 afterwards. Begins on a 16-byte boundary.
// rounds  >= 0
// values  n values in device memory, on a 16-byte boundary; values of inactive items do not change
//
// Ownership, stream and errors as above.
void write_back(int n, unsigned* words, int rounds, unsigned* values);

// Part persistent: work of different lengths, on as many items as the device has counted.
//
//   values[i] = work(values[i], rounds[i])    for 0 <= i < *count
//
// capacity   >= 0: the elements of rounds and values
// count      in device memory: the number of items, 0 <= *count <= capacity. Written by work
//            queued before the call that need not have run yet; the host does not know the count.
// rounds     in device memory: the length of each item's work, >= 0; unset behind the last item
// values     in device memory; values behind the last item do not change
// workspace  capacity + 4096 bytes, with arbitrary contents
//
// Ownership, stream and errors as above.
void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace);

// Part mirror: a frame of a ray tracer, a ray per pixel that is followed over `depth` surfaces.
//
// The colour of a pixel is the sum of what shade() says along the ray: from the camera's ray to the
// hit of intersect(), then along the reflection, and so on; `depth` times at most, and as long
// as shade() returns true. camera_ray(), intersect() and shade() are in trace.h.
//
// scene          the arrays are in device memory
// width, height  >= 0
// depth          >= 1
// image          width * height colours in device memory, rows from the top
// workspace      64 * width * height + 4096 bytes, with arbitrary contents
//
// Colours may differ by 0.01 from the reference, whose arithmetic is rounded in other places; the
// colour of a pixel in 200 by more, where a ray meets an edge. Ownership, stream and
// errors as above.
void mirror(const Scene& scene, int width, int height, int depth, Vec3* image,
            Workspace& workspace);
