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
#include "problem.h"
#include "volume_on_device.h"

namespace {

class VolumeProblem : public Problem {
 public:
  explicit VolumeProblem(const Options& options)
      : options_(options),
        scene_{volume_case_of(options, 0).view, nullptr, nullptr, 0, 0, 0, -1},
        volume_(scene_.view.size),
        image_(static_cast<size_t>(scene_.view.width) * scene_.view.height),
        workspace_(volume_workspace_bytes(scene_)) {}

  void prepare(uint64_t seed) override {
    scene_ = volume_.fill(volume_case_of(options_, seed));
    workspace_.reset();
    image_.poison();
  }
  void call() override { render_volume(scene_, image_.data(), workspace_); }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The bytes of the image; not those of the voxels, as hidden ones need not be read.
  double bytes_moved() const override { return 16.0 * scene_.view.width * scene_.view.height; }

 private:
  Options options_;
  VolumeScene scene_;
  VolumeOnDevice volume_;
  GuardedDeviceArray<float4> image_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.flag("statistics");  // an option of the judge as well
  options.text("out", "");     // the judge writes the pictures: it sees what was handed over
  options.flag("check");       // accepted without effect: the result is always checked
  return std::make_unique<VolumeProblem>(options);
}
