// What cublas_v2.h includes in a toolkit.
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#include "cublas_v2.h"
#endif
