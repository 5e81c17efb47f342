// SPDX-License-Identifier: MIT
// OBJ values in the forms that yggdrasil's ObjWavefront class gives and takes: as_dict() has a list
// of records for each kind of statement, as_list() one record for each statement in the order of
// the file.
#pragma once

#include <model/loss.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <vector>

namespace polycodec::obj {

/// The members of as_dict(). `losses` hears that faces no longer tell which statements they stand
/// behind.
std::vector<Member> to_dictionary(const View& root, Builder& out, Losses& losses);
/// as_list().
polycodec_node to_list(const View& root, Builder& out);

/// The OBJ value that a dictionary of either kind, or a list of statements, describes. Throws Error
/// with the path of what does not fit.
polycodec_node from_dictionary(const View& root, Builder& out);
polycodec_node from_list(const View& root, Builder& out);

}  // namespace polycodec::obj
