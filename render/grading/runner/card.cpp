// Has the student's function render the business card.
//
//   build/cpu/render/card --size 128 --samples 16 --out card.png
//   --width 640 --height 480   another shape
//   --document                 the eye where it is on the card, and not a little beside
#include "card.h"

#include "card_case.h"
#include "problem.h"

namespace {

class CardProblem : public Problem {
 public:
  explicit CardProblem(const Options& options)
      : options_(options),
        scene_(card_case(options, 0)),
        image_(static_cast<size_t>(scene_.width) * scene_.height),
        workspace_(card_workspace_bytes(scene_)) {}

  void prepare(uint64_t seed) override {
    scene_ = card_case(options_, seed);
    workspace_.reset();
    image_.poison();
  }
  void call() override { render_card(scene_, image_.data(), workspace_); }
  std::vector<Region> outputs() override { return {image_.region()}; }
  // The image.
  double bytes_moved() const override { return 16.0 * scene_.width * scene_.height; }

 private:
  Options options_;
  CardScene scene_;
  GuardedDeviceArray<float4> image_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Problem> make_problem(const Options& options) {
  options.flag("statistics");
  options.text("out", "");  // the judge writes the pictures: it sees what was handed over
  return std::make_unique<CardProblem>(options);
}
