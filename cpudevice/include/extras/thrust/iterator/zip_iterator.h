// <thrust/iterator/zip_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
