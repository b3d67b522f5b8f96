// verdict: =wrong
// from: stencil.h
// Draws nothing.
#include "stencil.h"

void mirror(const Scene&, int, int, int, Vec3*, Workspace&) {}
