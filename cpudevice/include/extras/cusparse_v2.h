// The name that older programs use for cusparse.h.
#pragma once

#include "cusparse.h"
