#include "profile/trace/recorder.h"

namespace cudacpu::profile {

__thread Recorder recorder;
AddressRange managed_range;
AddressRange host_arena;
AddressRange variable_range;

}  // namespace cudacpu::profile
