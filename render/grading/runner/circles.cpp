// Makes a scene and has the student's function draw it.
//
//   build/cpu/render/circles --scene rgb --size 256 --out circles.png
//     leaves circles.png, circles-reference.png and circles-difference.png
//   --circles 500   another number of circles      --width 640 --height 480   another shape
//   --frame 3       a later moment of a moving scene
//   --frames 0:90 --animate   all frames in sequence, --out into numbered files
#include "circle_scenes.h"
#include "problem.h"
#include "render.h"

namespace {

class CircleProblem : public Problem {
 public:
  explicit CircleProblem(const CircleCase& wanted)
      : case_(wanted),
        position_(size_t{3} * wanted.circles),
        radius_(wanted.circles),
        colour_(size_t{3} * wanted.circles),
        image_(static_cast<size_t>(wanted.width) * wanted.height),
        scene_{wanted.width,     wanted.height,  wanted.circles, false,
               position_.data(), radius_.data(), colour_.data()},
        workspace_(circle_workspace_bytes(scene_)) {}

  void prepare(uint64_t seed) override {
    const CircleArrays arrays = make_circles(case_, seed);
    scene_.snow = arrays.snow;
    upload(arrays.position, position_);
    upload(arrays.radius, radius_);
    upload(arrays.colour, colour_);
    prepare_again(seed);
  }
  void prepare_again(uint64_t) override {
    workspace_.reset();
    image_.poison();
  }
  void call() override { render_circles(scene_, image_.data(), workspace_); }
  std::vector<ConstRegion> inputs() override {
    return {{"scene.position", {position_.data(), position_.bytes()}},
            {"scene.radius", {radius_.data(), radius_.bytes()}},
            {"scene.colour", {colour_.data(), colour_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The bytes of the image; not of the circles: hidden circles need not be read.
  double bytes_moved() const override { return 16.0 * case_.width * case_.height; }

 private:
  static void upload(const std::vector<float>& from, DeviceArray<float>& to) {
    CUDA_CHECK(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice));
  }

  CircleCase case_;
  DeviceArray<float> position_;
  DeviceArray<float> radius_;
  DeviceArray<float> colour_;
  GuardedDeviceArray<float4> image_;
  CircleScene scene_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.text("out", "");  // the judge writes the pictures: it sees what was handed over
  options.flag("check");    // accepted without effect: the result is always checked
  return std::make_unique<CircleProblem>(circle_case(options));
}
