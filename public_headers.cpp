#include <polycodec/codec.hpp>
