// verdict: =wrong
// from: stencil.h
// Does no work at all.
#include "stencil.h"

void stencil_test(int, Stencil, int, unsigned*, Workspace&) {}
