// volume: a cloud of voxels, ray by ray. Yours to edit.
//
// The contract is in volume.h, a pixel's ray in volume_view.h, the explanation in README.md.
//   make check-render PART=volume                                                grades it
//   make build/cpu/render/volume build/judge/render && \
//     build/cpu/render/volume --size 256 --view 70,30,0 --out volume.png         draws a picture
#include "cuda_check.h"
#include "volume.h"

namespace {

// A thread per pixel. The scene is an argument: constant memory hands a value to
// all lanes at once.
// TODO(1): go along the ray, from the first sample on, and add up what the samples show (about 10
// lines): tex3D<float>(scene.volume, x, y, z) is a sample's value, tex1D<float4>(scene.transfer,
// value) the value's colour. End when less light than kVolumeDark is left.
__global__ void render_volume_kernel(VolumeScene scene, float4* image) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= scene.view.width || row >= scene.view.height) return;
  const VolumeRay ray = volume_ray(scene.view, row, col);
  const float4 pixel = make_float4(0, 0, 0, 1);
  image[static_cast<size_t>(row) * scene.view.width + col] = pixel;
}

// The pixels of a block, 256 pixels.
// TODO(2): choose from the view (about 15 lines). In which direction do neighbouring pixels see
// voxels that lie near each other in memory?
dim3 shape_for(const VolumeView& view) {
  return dim3(256, 1);
}

}  // namespace

void render_volume(const VolumeScene& scene, float4* image, Workspace& workspace) {
  const dim3 block = shape_for(scene.view);
  const dim3 grid(ceil_div(scene.view.width, block.x), ceil_div(scene.view.height, block.y));
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
