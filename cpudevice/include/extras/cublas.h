#ifndef CUBLAS_H_
#define CUBLAS_H_
#include "cudacpu/cublas_without_handles.h"
#endif
