# SPDX-License-Identifier: MIT
# What a column of 10^7 doubles costs, beside one copy of it: Rscript bench.R
library(polycodec)
numbers <- runif(1e7)
plain <- tempfile()
writeBin(numbers, plain)
seconds <- function(work) min(vapply(1:7, function(i) system.time(work())[["elapsed"]], 0))
copy <- seconds(function() readBin(plain, "double", 1e7))
cat(sprintf("one copy (readBin): %.3f s\n", copy))
for (ending in c(".msgpack", ".awkd")) {
  file <- tempfile(fileext = ending)
  pc_save(list(x = numbers), file)
  stopifnot(identical(pc_column(file, "x"), numbers))
  took <- seconds(function() pc_column(file, "x"))
  cat(sprintf("%s: %.3f s, ratio %.2f\n", ending, took, took / copy))
}
