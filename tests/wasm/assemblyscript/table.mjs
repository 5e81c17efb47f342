// SPDX-License-Identifier: MIT
// Exports the table of functions by the name that polycodec asks for. The compiler calls it `table`.
export function afterCompile(module) {
  module.removeExport("table");
  module.addTableExport("0", "__indirect_function_table");
}
