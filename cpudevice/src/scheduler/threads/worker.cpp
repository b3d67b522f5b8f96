#include "scheduler/threads/worker.h"

namespace cudacpu {

void Worker::abandon() {
  siglongjmp(recover, kAbandon);
}

void Worker::replay() {
  replaying = true;
  siglongjmp(recover, kReplay);
}

}  // namespace cudacpu
