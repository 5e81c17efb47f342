// SPDX-License-Identifier: MIT
// The built-in commands: each adds its help, options and action to the command of its name.
#pragma once

#include "common/program.hpp"

namespace polycodec::cli {

void describe_list(Command& command, CommonOptions& options);
void describe_info(Command& command, CommonOptions& options);
void describe_doctor(Command& command, CommonOptions& options);
void describe_call(Command& command, CommonOptions& options);
void describe_config(Command& command, CommonOptions& options);
void describe_type(Command& command, CommonOptions& options);
void describe_sniff(Command& command, CommonOptions& options);
void describe_inspect(Command& command, CommonOptions& options);
void describe_decode(Command& command, CommonOptions& options);
void describe_encode(Command& command, CommonOptions& options);
void describe_convert(Command& command, CommonOptions& options);
void describe_diff(Command& command, CommonOptions& options);
void describe_validate(Command& command, CommonOptions& options);
void describe_hash(Command& command, CommonOptions& options);
void describe_message(Command& command, CommonOptions& options);
void describe_negotiate(Command& command, CommonOptions& options);
void describe_schema(Command& command, CommonOptions& options);
void describe_store(Command& command, CommonOptions& options);
void describe_plugin(Command& command, CommonOptions& options);
void describe_report(Command& command, CommonOptions& options);

/// The configuration file that holds, or nothing.
std::string configuration_file(const CommonOptions& options);

}  // namespace polycodec::cli
