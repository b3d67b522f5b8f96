// One frame of the ray tracer.
//
//   build/cpu/stencil/mirror --scene large --width 640 --height 480 --depth 6 --out frame.png
//     leaves frame.png, frame-reference.png and frame-difference.png
#include "problem.h"
#include "scene.h"
#include "stencil.h"

namespace {

template <class T>
DeviceArray<T> on_device(const std::vector<T>& values) {
  DeviceArray<T> array(values.size());
  CUDA_CHECK(cudaMemcpy(array.data(), values.data(), array.bytes(), cudaMemcpyHostToDevice));
  return array;
}

class MirrorProblem : public Problem {
 public:
  explicit MirrorProblem(const Options& options)
      : data_(make_scene(options.text("scene", "mirror"))),
        width_(options.count("width", 640)),
        height_(options.count("height", 480)),
        depth_(options.count("depth", 6)),
        nodes_(on_device(data_.nodes)),
        primitives_(on_device(data_.primitives)),
        materials_(on_device(data_.materials)),
        image_(pixels()),
        workspace_(64 * pixels() + 4096) {
    if (depth_ < 1) throw OptionError("--depth must be at least 1");
  }

  void prepare(uint64_t seed) override {
    scene_ = scene_of(data_, seed);
    scene_.nodes = nodes_.data();
    scene_.primitives = primitives_.data();
    scene_.materials = materials_.data();
    image_.poison();
    workspace_.reset();
  }
  void call() override { mirror(scene_, width_, height_, depth_, image_.data(), workspace_); }
  std::vector<ConstRegion> inputs() override {
    return {{"scene.nodes", {nodes_.data(), nodes_.bytes()}},
            {"scene.primitives", {primitives_.data(), primitives_.bytes()}},
            {"scene.materials", {materials_.data(), materials_.bytes()}}};
  }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The image is written. What the rays read depends on the scene and is not counted.
  double bytes_moved() const override { return 1.0 * sizeof(Vec3) * pixels(); }

 private:
  size_t pixels() const { return static_cast<size_t>(width_) * height_; }

  SceneData data_;
  int width_;
  int height_;
  int depth_;
  Scene scene_ = {};
  DeviceArray<Node> nodes_;
  DeviceArray<Primitive> primitives_;
  DeviceArray<Material> materials_;
  GuardedDeviceArray<Vec3> image_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.text("out", "");  // the judge writes the pictures: it sees what was handed over
  return std::make_unique<MirrorProblem>(options);
}
