// The time of a rung of volume for the views of a turn: turn.py builds the program with each rung.
//
//   turn --volume 1024 --size 1024 --axis y --from 0 --to 360 --step 15 [--shape 3]
//
// Prints [[degrees, ms], …]: the median of kCalls calls for each view, after a call that is not
// timed. The volume is made once, so a turn at 1024^3 voxels takes seconds. Nothing is judged.
#include <cstdio>
#include <string>
#include <vector>

#include "gpu_time.h"
#include "options.h"
#include "volume_on_device.h"
#include "workspace.h"

namespace {

constexpr int kCalls = 5;
constexpr uint64_t kSeed = 7;

// The options of a view, as the runner knows options.
VolumeCase case_at(const Options& options, int degrees) {
  std::vector<std::string> words = {"--axis",   options.text("axis", "y"),
                                    "--frame",  std::to_string(degrees),
                                    "--size",   std::to_string(options.count("size", 256)),
                                    "--volume", std::to_string(options.count("volume", 128))};
  if (options.flag("shape")) {
    words.insert(words.end(), {"--shape", std::to_string(options.count("shape", 0))});
  }
  return volume_case_of(Options(words), kSeed);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(std::vector<std::string>(argv + 1, argv + argc));
  const int from = options.count("from", 0);
  const int to = options.count("to", 360);
  const int step = options.count("step", 15);
  VolumeCase wanted = case_at(options, from);
  options.require_all_used();
  VolumeOnDevice volume(wanted.view.size);
  VolumeScene scene = volume.fill(wanted);
  DeviceArray<float4> image(static_cast<size_t>(scene.view.width) * scene.view.height);
  Workspace workspace(volume_workspace_bytes(scene));
  std::printf("[");
  for (int degrees = from; degrees <= to; degrees += step) {
    scene.view = case_at(options, degrees).view;
    const double ms = median_ms(kCalls, [&] {
      workspace.reset();
      render_volume(scene, image.data(), workspace);
    });
    std::printf("%s[%d, %.4f]", degrees > from ? ", " : "", degrees, ms);
  }
  std::printf("]\n");
}
