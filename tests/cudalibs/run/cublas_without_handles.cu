// cuBLAS before handles: <cublas.h>, with numbers in place of pointers.
// flags: -lcublas
// expect: done
#include <cublas.h>

#include "../../cpudevice/run/check.h"

int main() {
  CHECK(cublasInit() == CUBLAS_STATUS_SUCCESS);
  const int n = 3;
  const float h_x[n] = {1, -5, 2}, h_a[n * n] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
  float *x, *y, *a, h_y[n] = {1, 1, 1};
  CHECK(cublasAlloc(n, sizeof(float), reinterpret_cast<void**>(&x)) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasAlloc(n, sizeof(float), reinterpret_cast<void**>(&y)) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasAlloc(n * n, sizeof(float), reinterpret_cast<void**>(&a)) == CUBLAS_STATUS_SUCCESS);
  cublasSetVector(n, sizeof(float), h_x, 1, x, 1);
  cublasSetVector(n, sizeof(float), h_y, 1, y, 1);
  cublasSetMatrix(n, n, sizeof(float), h_a, n, a, n);

  CHECK(cublasIsamax(n, x, 1) == 2);
  CHECK(cublasSasum(n, x, 1) == 8);
  CHECK(cublasSdot(n, x, 1, y, 1) == -2);
  cublasSaxpy(n, 2.0f, x, 1, y, 1);                // y = {3, -9, 5}
  cublasSgemv('n', n, n, 1, a, n, x, 1, 1, y, 1);  // y += {1, -10, 6}
  cublasGetVector(n, sizeof(float), y, 1, h_y, 1);
  CHECK(h_y[0] == 4 && h_y[1] == -19 && h_y[2] == 11);
  float* c;
  cublasAlloc(n * n, sizeof(float), reinterpret_cast<void**>(&c));
  cublasSgemm('N', 'T', n, n, n, 1, a, n, a, n, 0, c, n);
  CHECK(cublasGetError() == CUBLAS_STATUS_SUCCESS);

  // A leading dimension below the least is reported afterwards, and once.
  cublasSgemm('N', 'N', n, n, n, 1, a, 1, a, n, 0, c, n);
  CHECK(cublasGetError() != CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetError() == CUBLAS_STATUS_SUCCESS);

  cublasFree(x);
  cublasFree(y);
  cublasFree(a);
  cublasFree(c);
  CHECK(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  printf("done\n");
}
