# SPDX-License-Identifier: MIT
# The names of what the headers of polycodec number. scripts/r_sys.py makes this file.

dtypes <- c(bool = 1, int8 = 2, int16 = 3, int32 = 4, int64 = 5, int128 = 6, uint8 = 7, uint16 = 8, uint32 = 9, uint64 = 10, uint128 = 11, float16 = 12, float32 = 13, float64 = 14, float128 = 15, "complex[float16]" = 16, "complex[float32]" = 17, "complex[float64]" = 18, datetime = 19, timedelta = 20, fixed_bytes = 21, fixed_string = 22)
unit_names <- c("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
loss_classes <- c("note", "type", "data", "retyped", "mended")
kept_words <- c("unknown", "same", "same_items", "same_numbers", "different")
described <- c("codecs", "filters", "stores", "types", "plugins", "records", "directories", "functions", "settings")
call_flags <- c(structure = 1, as_is = 2, no_companions = 4, partial = 8, lossless = 16, tolerant = 32, compare = 64, stream = 128)
limit_names <- c("max_depth", "max_input_bytes", "max_header_bytes", "max_nodes", "max_elements", "max_work", "max_memory_bytes", "max_output_bytes", "max_stack_bytes")
option_names <- c("columns", "first_row", "rows", "member", "select", "destination", "threads", "flags", "limits", "losses", "allowlist", "allow_also", "name", "changing", "copy", "map", "companions", "keep", "sync", "lock_seconds", "root")
