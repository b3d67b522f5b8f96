// Linked into every program that is not a peers program.
#include "peers.h"

const std::vector<std::string> kPeers;
