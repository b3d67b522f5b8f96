// Rung 5: a shape for each view.
//
//   make check-render WITH=ladder/volume/05_bands.cu
//
// Idea: a warp should lie along the axis whose neighbours are nearest in memory. Which axis of the
// volume is nearest, and in which direction the axis is drawn, follows from the view; six bands of
// 15 degrees have a warp shape each (S. Du, S. Zhang: Improving Texture Cache-Hit Rate of GPU-Based
// Ray Casting, 2016).
// Expect: a little faster than the best single shape in most views.
#include "cuda_check.h"
#include "volume.h"

namespace {

// 256 threads each. Warps are 32 x 1 pixels in the first four, then 16 x 2, 8 x 4, 4 x 8, 2 x 16
// and 1 x 32.
struct Shape {
  int width, height;
};
constexpr Shape kShapes[] = {{256, 1}, {128, 2}, {64, 4},  {32, 8}, {16, 16},
                             {8, 32},  {4, 64},  {2, 128}, {1, 256}};

// For each band of 15 degrees the element of kShapes, from horizontal to vertical: an element for
// each of the six shapes that a warp can have.
constexpr int kOfBand[] = {0, 4, 5, 6, 7, 8};
constexpr float kBandDegrees = 15;
// The shape instead of 256 x 1 where the axis is not quite horizontal: its warps are 32 x 1 as
// well, but the block's rays stay nearer to each other.
constexpr int kNearlyHorizontal = 3;  // 32 x 8
constexpr float kHorizontalDegrees = 0.5f;
constexpr float kDegrees = 180 / 3.14159265f;

// The angle between the image's rows and a drawn axis of the volume, 0 to 90 degrees. `right` and
// `down` are the axis's share of a step from a pixel to the next in the row and in the column.
float drawn_degrees(float right, float down) {
  return atan2f(fabsf(down), fabsf(right)) * kDegrees;
}

// The paper's three steps: the plane of the volume that is nearest to the screen, the cheaper of
// the plane's two axes, and the direction in which the axis is drawn. x is the cheapest axis, y the
// next: x in the planes xy and xz, and y in yz. From plane xy to yz, in a turn about y, the
// paper's table passes from axis to axis band by band, and so does this function: by the
// degrees that x is turned out of the screen.
Shape shape_for(const VolumeView& view) {
  const float x_degrees = drawn_degrees(view.right.x, view.down.x);
  const float y_degrees = drawn_degrees(view.right.y, view.down.y);
  const Vec3& forward = view.forward;
  const bool nearest_is_yz = fabsf(forward.x) > fmaxf(fabsf(forward.y), fabsf(forward.z));
  const float drawn = nearest_is_yz ? y_degrees : x_degrees;
  const float out_of_screen = asinf(fminf(fabsf(forward.x), 1)) * kDegrees;
  const float degrees = x_degrees + (y_degrees - x_degrees) * (out_of_screen / 90);
  const int band = min(static_cast<int>(degrees / kBandDegrees), 5);
  const bool tilted = band == 0 && drawn > kHorizontalDegrees;
  return kShapes[tilted ? kNearlyHorizontal : kOfBand[band]];
}

// A thread per pixel.
__global__ void render_volume_kernel(VolumeScene scene, float4* image) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= scene.view.width || row >= scene.view.height) return;
  const VolumeRay ray = volume_ray(scene.view, row, col);
  float4 pixel = make_float4(0, 0, 0, 1);
  float light = 1;
  for (int k = ray.first; k < ray.end && light >= kVolumeDark; ++k) {
    const Vec3 place = ray.origin + scene.view.forward * k;
    const float value = tex3D<float>(scene.volume, place.x, place.y, place.z);
    const float4 colour = tex1D<float4>(scene.transfer, value);
    const float share = light * colour.w;
    pixel.x += share * colour.x;
    pixel.y += share * colour.y;
    pixel.z += share * colour.z;
    light -= share;
  }
  image[static_cast<size_t>(row) * scene.view.width + col] = pixel;
}

}  // namespace

void render_volume(const VolumeScene& scene, float4* image, Workspace&) {
  const Shape shape = shape_for(scene.view);
  const dim3 grid(ceil_div(scene.view.width, shape.width),
                  ceil_div(scene.view.height, shape.height));
  const dim3 block(shape.width, shape.height);
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
