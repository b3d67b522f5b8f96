// Makes a volume and has the student's function draw it.
//
//   build/cpu/render/volume --size 256 --volume 128 --view 20,30,0 --out volume.png
//     leaves volume.png, volume-reference.png and volume-difference.png
//   --size 512                 of the image    --width 640 --height 480   another shape
//   --volume 256               voxels of a side
//   --view 20,30,0             degrees about x, y and z; by default a random view
//   --axis z --frame 15        15 degrees about z (about y without --axis)
//   --frames 0:360 --animate   all frames in sequence, --out into numbered files
//   --shape 3                  for experiments: see VolumeScene::shape
#include <algorithm>
#include <memory>

#include "problem.h"
#include "volume_on_device.h"

namespace {

// The volume of the last case, which the next case takes over if the volume is the same: making
// 512^3 voxels takes the host longer than drawing takes the device.
struct LastVolume {
  std::unique_ptr<VolumeOnDevice> memory;
  VolumeCase made = {};    // what was made in it
  VolumeScene scene = {};  // of that case

  // Makes room for `size`^3 voxels; frees those of another size before. Throws CudaError.
  void reserve(int size) {
    if (memory != nullptr && scene.view.size == size) return;
    memory.reset();
    made = {};
    memory = std::make_unique<VolumeOnDevice>(size);
    scene.view.size = size;
  }
  bool is_of(const VolumeCase& wanted) const {
    return made.bohr == wanted.bohr && std::equal(made.centre, made.centre + 3, wanted.centre);
  }
  // Throws CudaError.
  void fill(const VolumeCase& wanted) {
    made = {};
    scene = memory->fill(wanted);
    made = wanted;
  }
};
LastVolume last_volume;

class VolumeProblem : public Problem {
 public:
  explicit VolumeProblem(const Options& options)
      : options_(options),
        scene_{volume_case_of(options, 0).view, nullptr, nullptr, 0, 0, 0, -1},
        image_(static_cast<size_t>(scene_.view.width) * scene_.view.height),
        workspace_(volume_workspace_bytes(scene_)) {
    last_volume.reserve(scene_.view.size);
  }

  void prepare(uint64_t seed) override {
    const VolumeCase wanted = volume_case_of(options_, seed);
    // Only before the first call: a repeated call finds the volume made again.
    if (called_ || !last_volume.is_of(wanted)) last_volume.fill(wanted);
    scene_ = last_volume.scene;
    scene_.view = wanted.view;
    scene_.shape = wanted.shape;
    prepare_again(seed);
  }
  void prepare_again(uint64_t) override {
    workspace_.reset();
    image_.poison();
  }
  void call() override {
    called_ = true;
    render_volume(scene_, image_.data(), workspace_);
  }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The bytes of the image; not of the voxels: hidden voxels need not be read.
  double bytes_moved() const override { return 16.0 * scene_.view.width * scene_.view.height; }

 private:
  Options options_;
  VolumeScene scene_;
  GuardedDeviceArray<float4> image_;
  Workspace workspace_;
  bool called_ = false;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.flag("statistics");  // an option of the judge as well
  options.text("out", "");     // the judge writes the pictures: it sees what was handed over
  options.flag("check");       // accepted without effect: the result is always checked
  return std::make_unique<VolumeProblem>(options);
}
