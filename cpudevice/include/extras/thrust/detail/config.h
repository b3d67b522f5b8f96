// <thrust/detail/config.h>
#pragma once

#include "../version.h"
