// Library peers: peers.cu implements the part's own contract, once per library, for comparison.
//
// A peers program is a runner whose contract function dispatches on selected_peer().
#pragma once

#include <string>
#include <vector>

// The peers of the program, empty in a runner. Names that begin with "copy" are ceilings: they move
// the same bytes without solving the problem and are not judged. Nor are peers whose names end in
// "tf32", which compute with less precision than the problem asks for.
extern const std::vector<std::string> kPeers;

// The value of --peer; always one of kPeers.
const std::string& selected_peer();
