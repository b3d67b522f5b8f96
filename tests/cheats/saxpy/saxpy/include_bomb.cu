// verdict: =forbidden
// Includes itself twice, and so on.
#include "include_bomb.cu"
#include "saxpy.h"
