# SPDX-License-Identifier: MIT
# Reads messages from standard input, and writes each again to standard output.
library(polycodec)
from <- pc_channel(file("stdin", "rb"))
to <- pc_channel(pipe("cat", "wb"))
while (!is.null(message <- pc_message_read(from))) pc_message_write(to, message)
close(to$con)
