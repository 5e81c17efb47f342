// SPDX-License-Identifier: MIT
// The built-in commands: each adds its help, options and action to the command of its name.
#pragma once

#include "tools/common/program.hpp"

namespace polycodec::cli {

void describe_list(Command& command, Context& context);
void describe_info(Command& command, Context& context);
void describe_doctor(Command& command, Context& context);
void describe_config(Command& command, Context& context);
void describe_type(Command& command, Context& context);
void describe_sniff(Command& command, Context& context);
void describe_inspect(Command& command, Context& context);
void describe_decode(Command& command, Context& context);
void describe_encode(Command& command, Context& context);
void describe_convert(Command& command, Context& context);
void describe_diff(Command& command, Context& context);
void describe_validate(Command& command, Context& context);
void describe_hash(Command& command, Context& context);
void describe_message(Command& command, Context& context);
void describe_negotiate(Command& command, Context& context);
void describe_schema(Command& command, Context& context);
void describe_store(Command& command, Context& context);
void describe_plugin(Command& command, Context& context);
void describe_report(Command& command, Context& context);

}  // namespace polycodec::cli
