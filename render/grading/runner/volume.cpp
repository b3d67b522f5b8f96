// Makes a volume and has the student's function draw it.
//
//   build/cpu/render/volume --size 256 --volume 128 --view 20,30,0 --out volume.png
//     leaves volume.png, volume-reference.png and volume-difference.png
//   --size 512                 of the image    --width 640 --height 480   another shape
//   --volume 256               voxels of a side
//   --view 20,30,0             degrees about x, y and z; without it the view is random
//   --axis z --frame 15        15 degrees about z (about y without --axis)
//   --frames 0:360 --animate   all of these, one after the other, --out into numbered files
//   --shape 3                  for experiments: see VolumeScene::shape
#include "volume.h"
#include "problem.h"
#include "volume_case.h"

namespace {

// An array on the device and the texture that reads it, linearly interpolated and clamped.
class Texture {
 public:
  // `extent` in elements, with height and depth 0 in one dimension.
  Texture(const cudaChannelFormatDesc& channels, cudaExtent extent, cudaTextureReadMode read_mode,
          bool normalised_coordinates) {
    CUDA_CHECK(cudaMalloc3DArray(&array_, &channels, extent));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description = {};
    for (cudaTextureAddressMode& mode : description.addressMode)
      mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = read_mode;
    description.normalizedCoords = normalised_coordinates;
    CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }

  cudaTextureObject_t object() const { return object_; }
  // Copies width x height x depth elements of `bytes` bytes from device memory into the array.
  void fill(const void* from, size_t bytes, cudaExtent extent) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), extent.width * bytes, extent.width,
                                      extent.height);
    copy.dstArray = array_;
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
  }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

cudaExtent cube(int size) {
  const auto side = static_cast<size_t>(size);
  return make_cudaExtent(side, side, side);
}

class VolumeProblem : public Problem {
 public:
  explicit VolumeProblem(const Options& options)
      : options_(options),
        scene_{volume_case_of(options, 0).view, nullptr, nullptr, 0, 0, 0, -1},
        voxels_(static_cast<size_t>(scene_.view.size) * scene_.view.size * scene_.view.size),
        table_(kVolumeColours),
        volume_(cudaCreateChannelDesc<unsigned char>(), cube(scene_.view.size),
                cudaReadModeNormalizedFloat, false),
        transfer_(cudaCreateChannelDesc<float4>(), make_cudaExtent(kVolumeColours, 0, 0),
                  cudaReadModeElementType, true),
        image_(static_cast<size_t>(scene_.view.width) * scene_.view.height),
        workspace_(volume_workspace_bytes(scene_)) {}

  void prepare(uint64_t seed) override {
    const VolumeCase wanted = volume_case_of(options_, seed);
    scene_.view = wanted.view;
    scene_.shape = wanted.shape;
    upload(make_orbital(wanted), voxels_);
    volume_.fill(voxels_.data(), sizeof(unsigned char), cube(scene_.view.size));
    const std::vector<VolumeColour> table = make_transfer(scene_.view.size);
    upload(table, table_);
    transfer_.fill(table_.data(), sizeof(float4), make_cudaExtent(kVolumeColours, 1, 1));
    scene_.voxels = voxels_.data();
    scene_.table = table_.data();
    scene_.volume = volume_.object();
    scene_.transfer = transfer_.object();
    scene_.transparent = transparent_voxel(table);
    workspace_.reset();
    image_.poison();
  }
  void call() override { render_volume(scene_, image_.data(), workspace_); }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The image. Not the voxels: those that do not show need not be read.
  double bytes_moved() const override { return 16.0 * scene_.view.width * scene_.view.height; }

 private:
  template <class From, class To>
  static void upload(const std::vector<From>& from, DeviceArray<To>& to) {
    static_assert(sizeof(From) == sizeof(To));
    CUDA_CHECK(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice));
  }

  Options options_;
  VolumeScene scene_;
  DeviceArray<unsigned char> voxels_;
  DeviceArray<float4> table_;
  Texture volume_;
  Texture transfer_;
  GuardedDeviceArray<float4> image_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.flag("statistics");  // of the judge as well
  options.text("out", "");     // the judge writes the pictures: it sees what was handed over
  options.flag("check");       // for those used to it; what stands is always checked
  return std::make_unique<VolumeProblem>(options);
}
