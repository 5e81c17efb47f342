# SPDX-License-Identifier: MIT
# What a column of 10^7 doubles of a file costs, beside one copy of it in memory: Rscript bench.R
library(polycodec)
numbers <- runif(1e7)
seconds <- function(work) {
  gc(FALSE)
  begin <- Sys.time()
  work()
  as.double(Sys.time() - begin, units = "secs")
}
copied <- function() {
  y <- numbers
  y[1] <- 2 # R copies what it shares
}
for (ending in c(".msgpack", ".awkd")) {
  file <- tempfile(fileext = ending)
  pc_save(list(x = numbers), file)
  stopifnot(identical(pc_column(file, "x"), numbers))
  rounds <- replicate(15, c(seconds(function() pc_column(file, "x")), seconds(copied)))
  each <- 1000 * apply(rounds, 1, median)
  cat(sprintf("r: column of %s %.2f ms, copy %.2f ms, ratio %.2f\n", ending, each[1], each[2], each[1] / each[2]))
}
