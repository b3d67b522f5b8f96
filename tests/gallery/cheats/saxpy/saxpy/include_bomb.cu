// verdict: =forbidden
// A file that includes the file twice, and so on.
#include "saxpy.h"
#ifdef ENDED
void saxpy(int, float, const float*, const float*, float*) {}
#endif
#include "include_bomb.cu"
