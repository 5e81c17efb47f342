// SPDX-License-Identifier: MIT
// Random types of DyND and valid bytes of them, made without the codec.
#pragma once

#include <model/type/type.hpp>

#include <cstdint>
#include <random>
#include <string>

namespace polycodec::test {

using Random = std::mt19937_64;

/// A concrete type of strict notation, of at most `depth` levels.
type::Type random_type(Random& random, int depth);
/// A concrete type that CBOR has a native form for, for some values.
type::Type random_native_type(Random& random, int depth);
/// The data form of a random value.
std::string random_data(Random& random, const type::Type& type, int depth = 4);
/// The data form with the type before it.
std::string with_type(const type::Type& type, const std::string& data);

}  // namespace polycodec::test
