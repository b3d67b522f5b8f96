// Programs include this header by name; all of it is in cudacpu/cublas_xt.h.
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_
#include "cudacpu/cublas_xt.h"
#endif
