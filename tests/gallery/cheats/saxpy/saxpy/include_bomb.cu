// verdict: =forbidden
// Includes itself twice, and so on.
#include "saxpy.h"
#ifdef ENDED
void saxpy(int, float, const float*, const float*, float*) {}
#endif
#include "include_bomb.cu"
