// For programs compiled with `cudacc --profile` that want a part of their run profiled. Otherwise
// the profile covers the whole run and is written at its end.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Forgets what has been counted so far, and empties the simulated cache.
void cudacpu_profile_reset(void);
// Ignores kernels until the next reset, which makes kernels many times faster: for the code before
// and after the profiled part.
void cudacpu_profile_pause(void);
// Writes the counters since the last reset: to `path`, or if `path` is null to the file that the
// environment variable CUDACPU_PROFILE names, or else to cudacpu-profile.json.
void cudacpu_profile_write(const char* path);
// Returns the same text, valid until the next call.
const char* cudacpu_profile_text(size_t* bytes);

#ifdef __cplusplus
}
#endif
