// SPDX-License-Identifier: MIT
// Which codec do these bytes belong to?
#pragma once

#include "core/frame/message.hpp"
#include "core/io/source.hpp"
#include "registry/choose/match.hpp"
#include "registry/session/session.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// See Registry::sniff.
std::vector<Match> sniff_source(const Session& session, const Source& source);

/// See Registry::choose.
Match choose_codec(const Session& session, const Source& source, const DecodeOptions& options);
Match choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options);

/// For a source that is this message.
Match choose_codec(const Catalog& catalog, const Source& source, const Message& message,
                   const DecodeOptions& options);

/// An error in options that a message header gives: it is the input that is wrong.
Error header_options_error(const Error& error);

}  // namespace polycodec
