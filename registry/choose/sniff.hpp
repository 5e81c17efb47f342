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

/// See Registry::choose, but for a match that is `doubtful`: refuse_doubtful() refuses that one
/// after its error.
Match choose_codec(const Session& session, const Source& source, const DecodeOptions& options);
/// Throws if a source was read for a codec that does not take it for its own.
void refuse_doubtful(const Match& match, const Source& source);
/// The error of a codec that was chosen by the file name, with what the bytes of the source are
/// instead.
Error explain_content(const Error& error, const Match& match, const Source& source);

Match choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options);

/// For a source that is this message.
Match choose_codec(const Catalog& catalog, const Source& source, const Message& message,
                   const DecodeOptions& options);

/// An error in options that a message header gives: it is the input that is wrong.
Error header_options_error(const Error& error);

}  // namespace polycodec
