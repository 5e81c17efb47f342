// SPDX-License-Identifier: MIT
// polycodec for host programs in C++20: all of <polycodec/host.h> as classes. It is header-only:
// link libpolycodec alone, of this version or a later one, with any compiler. docs/hosts.md is the
// way in.
//
//  - Registry, Codec, Source, Value, Schema and Budget are counted handles that never change.
//    Copies are cheap and share, and any number of threads may use one at once. What an object was
//    made from may die before it. All others are for one thread and can be moved, not copied.
//  - Functions that can fail throw Error, with the whole message of the library. Exceptions never
//    cross the library: what a callback of the program throws ends the call, and is then thrown by
//    it.
//  - Text is UTF-8. A std::string_view that is passed is read during the call, unless a comment
//    gives it longer. Views of a Value (view.hpp) own nothing, so a temporary object gives none.
//  - Values are built with Builder (builder.hpp). Codecs of the program's own are tables of abi.h,
//    or classes of codec.hpp: polycodec_objects.
#pragma once

#include <polycodec/host/channel.hpp>
#include <polycodec/host/registry.hpp>
#include <polycodec/host/schema.hpp>
#include <polycodec/host/stream.hpp>
