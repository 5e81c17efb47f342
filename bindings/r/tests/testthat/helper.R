# SPDX-License-Identifier: MIT
# The directory of the project's vectors, which only the project's own runs have.
vectors <- Sys.getenv("POLYCODEC_VECTORS")

vector_file <- function(...) {
  skip_if(vectors == "", "without the vectors of the project")
  file.path(vectors, ...)
}

bytes_of <- function(file) readBin(file, "raw", file.size(file))

#' Some of many: each third, or all where all are wanted.
some <- function(all) all[Sys.getenv("POLYCODEC_FULL") == "1" | seq_along(all) %% 3 == 1]

caught <- function(code) tryCatch(code, pc_error = identity)

#' What a connection gets.
written <- function(write) {
  file <- tempfile()
  con <- file(file, "wb")
  on.exit(close(con))
  write(con)
  flush(con)
  bytes_of(file)
}

reading <- function(bytes, read) {
  file <- tempfile()
  writeBin(bytes, file)
  con <- file(file, "rb")
  on.exit(close(con))
  read(con)
}
