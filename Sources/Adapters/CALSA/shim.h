#pragma once
#include <alsa/asoundlib.h>
#include "pulse.h"
