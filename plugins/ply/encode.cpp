// SPDX-License-Identifier: MIT
#include "encode.hpp"

namespace polycodec::ply {

void encode(const Settings& settings, const Call& call, View value, Writer& out) {
  const Table table = Table::from(settings, call, value);
  out.put_text(print_header(table.header));
  for (const ElementSource& element : table.elements) {
    if (element.element.count == 0 || element.sources.empty()) continue;
    if (table.header.format == Format::ascii) {
      encode_ascii_element(call, element, table.header.line_ending, out);
    } else {
      encode_binary_element(call, element, table.header.format, out);
    }
  }
}

}  // namespace polycodec::ply
