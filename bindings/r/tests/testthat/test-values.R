# SPDX-License-Identifier: MIT

again <- function(x, codec = "text") pc_decode(pc_encode(x, codec), codec)
same <- function(x) {
  expect_identical(pc_column(list(x), "[0]"), x) # a value, and back
  expect_identical(pc_text(again(x)), pc_text(x)) # through bytes
}

test_that("each row of the table of types is held", {
  same(TRUE)
  same(5L)
  same(bit64::as.integer64("9007199254740993"))
  same(1.5)
  same(complex(real = 1, imaginary = -2))
  same("h\u00e9llo \U1F600")
  same(as.raw(c(0, 255)))
  same(NULL)
  same(list(1, "a", NULL))
  same(list(a = 1L, b = list(c = "x")))
  same(stats::setNames(list(), character()))
  same(list())
  for (dtype in c("int8", "int16", "uint8", "uint16")) same(pc_as(c(1L, 100L), dtype))
  same(pc_as(c(1, 4294967295), "uint32"))
  same(pc_as(bit64::as.integer64(c("1", "9223372036854775807")), "uint64"))
  for (dtype in c("float16", "float32")) same(pc_as(c(0.5, -2), dtype))
  same(pc_as(complex(real = 0.5, imaginary = 1), "complex[float32]"))
  same(pc_as(array(c("a", "bcd", "\u00e9", "\U1F600z"), c(2, 2)), "fixed_string[3, 'utf32']"))
  same(pc_as(list(charToRaw("ab"), charToRaw("cd")), "fixed_bytes[2]"))
  same(pc_as(list(charToRaw("ab"), raw()), "bytes"))
  same(pc_as(list(1:3, integer(), 4L), "var * int32"))
})

test_that("what is missing is NA, and NaN stays NaN", {
  x <- c(1, NA, NaN)
  y <- again(x)
  expect_identical(attr(y, "dtype"), "?float64")
  expect_identical(is.nan(y), c(FALSE, FALSE, TRUE))
  expect_identical(is.na(y), c(FALSE, TRUE, TRUE))
  expect_identical(pc_type(c(1L, NA)), "2 * ?int32")
  expect_identical(pc_type(c("a", NA)), "2 * ?string")
  expect_identical(pc_type(NA), "null")
  expect_identical(pc_type(complex(real = NaN, imaginary = c(1, 2))), "2 * complex[float64]")
})

test_that("an int32 that is R's NA is a double", {
  x <- pc_decode(charToRaw('{"type": "2 * int32", "value": [-2147483648, 7]}'), "text")
  expect_identical(x, pc_as(c(-2147483648, 7), "int32"))
  expect_identical(pc_type(x), "2 * int32")
})

test_that("item [1,2,3] of an array is the same number as elsewhere", {
  x <- pc_decode(charToRaw(paste0('{"type": "2 * 3 * 4 * int32", "value": [',
    paste(vapply(0:1, function(i) paste0("[", paste(vapply(0:2, function(j) paste0("[",
      paste(100 * i + 10 * j + 0:3, collapse = ","), "]"), ""), collapse = ","), "]"), ""),
      collapse = ","), "]}")), "text")
  expect_identical(dim(x), c(2L, 3L, 4L))
  expect_identical(x[2, 3, 4], 123L)
  expect_identical(again(x), x)
  expect_identical(again(x, "yggdrasil"), x)
  expect_match(pc_text(x), "[120, 121, 122, 123]", fixed = TRUE)
})

test_that("an array of one item has a dimension", {
  for (type in c("float64", "float32", "int32", "int64", "bool")) {
    x <- pc_decode(charToRaw(sprintf('{"type": "1 * %s", "value": [%s]}', type, if (type == "bool") "true" else 1)), "text")
    expect_identical(dim(x), 1L, info = type)
    expect_identical(pc_type(x), paste("1 *", type))
  }
})

test_that("units and metadata are attributes", {
  x <- pc_as(c(1, 2), units = "cm")
  attr(x, "metadata") <- list(title = "length")
  expect_identical(again(x), x)
  expect_match(pc_type(x), "units='cm'", fixed = TRUE)
  expect_identical(pc_convert_units(pc_as(2, units = "km"), "m"), pc_as(2000, units = "m"))
  expect_identical(caught(pc_convert_units(x, "kg"))$code, "type")
})

test_that("tables are data.frames", {
  table <- data.frame(n = 1:3, x = c(0.5, NA, 2), name = c("a", "b", NA))
  y <- again(table)
  expect_identical(pc_type(y), "3 * {n: int32, x: ?float64, name: ?string}")
  expect_equal(y, table, ignore_attr = TRUE)
  expect_s3_class(y, "data.frame")
  table$f <- factor(c("u", "v", "u"))
  table$m <- matrix(1:6, 3)
  expect_identical(again(table)$f, c("u", "v", "u"))
  expect_identical(again(table)$m, matrix(1:6, 3))
  expect_identical(nrow(again(table[0, ])), 0L)
})

test_that("times are Date, POSIXct and difftime", {
  same(as.Date(c("1969-12-31", NA, "2024-02-29")))
  same(as.POSIXct(c(-1.25, NA, 1.7e9 + 0.000001), origin = "1970-01-01", tz = "UTC"))
  same(structure(c(1.5, NA), class = "difftime", units = "secs"))
  same(pc_as(as.Date(c("2020-01-01", NA)), "?datetime[unit='D']"))
  same(pc_as(as.POSIXct(c(0.5, NA), origin = "1970-01-01", tz = "UTC"), "?datetime[unit='ms']"))
  same(structure(as.difftime(1, units = "secs"), metadata = list(title = "pause")))
  month <- pc_as(as.Date(c("1969-12-01", "2024-02-01")), "datetime[unit='M']")
  same(month)
  expect_identical(caught(pc_text(pc_as(as.Date("2024-02-02"), "datetime[unit='M']")))$detail, "r.time")
  nanosecond <- as.raw(c(0xd7, 0xff, 0, 0, 0, 4, 0, 0, 0, 1)) # of msgpack
  expect_warning(pc_decode(nanosecond, "msgpack-ndarray"), class = "pc_loss")
  expect_identical(pc_type(as.POSIXlt("2024-01-01", tz = "UTC")), "datetime[unit='us']")
})

test_that("code is inert", {
  body <- charToRaw('{"type": "extension[\'yggdrasil.class\', string]", "value": {"$ext": ["yggdrasil.class", "m:C"]}}')
  x <- pc_decode(body, "text")
  expect_s3_class(x, "pc_extension")
  expect_identical(unclass(x), list(module = "m", name = "C", data = NULL))
  same(x)
  same(structure(list(module = "m", name = "C", data = list(args = list(1))),
                 class = c("yggdrasil.instance", "pc_extension")))
})

test_that("numbers that do not fit are errors with their place", {
  error <- caught(pc_encode(list(a = pc_as(c(1, 300), "int8")), "text"))
  expect_identical(error[c("code", "detail", "path")],
                   list(code = "range", detail = "r.range", path = "$.a[1]"))
  expect_identical(caught(pc_text(pc_as(1.5, "int32")))$detail, "r.range")
  expect_identical(caught(pc_text(pc_as(1e6, "float16")))$detail, "r.range")
  expect_identical(caught(pc_text(pc_as(complex(real = 1e300, imaginary = 0), "complex[float32]")))$detail, "r.range")
  expect_identical(caught(pc_text(structure(list(list(1L, "a"), 2), dtype = "map")))$path, "$[1]")
  expect_identical(caught(pc_text(pc_as(-1L, "uint8")))$detail, "r.range")
  expect_identical(caught(pc_text(pc_as(1, "int77")))$detail, "r.dtype")
  expect_identical(caught(pc_text(matrix(c(1L, NA), 1)))$detail, "r.na")
  expect_identical(caught(pc_text(list(f = mean)))$path, "$.f")
  expect_identical(caught(pc_text(stats::lm(dist ~ speed, datasets::cars)))$detail, "r.class")
})

test_that("deep lists are errors", {
  x <- list()
  for (i in 1:2000) x <- list(x)
  expect_identical(caught(pc_text(x))$code, "limit")
})

test_that("generated values come back", {
  set.seed(20261127)
  scalar <- function() {
    switch(sample(9, 1), runif(1), sample(100L, 1), runif(1) < 0.5,
           paste(sample(c(letters, "\u00e9", "\u20ac", "\U1F600"), 5), collapse = ""),
           complex(real = runif(1), imaginary = runif(1)), as.raw(sample(0:255, sample(0:4, 1))),
           bit64::as.integer64(sample(1e9, 1)) * 4096L, pc_as(sample(0:255, 1), "uint8"), NULL)
  }
  vector <- function() {
    n <- sample(c(0, 2:6), 1)
    switch(sample(7, 1), runif(n), sample(1000L, n), runif(n) < 0.5, as.character(seq_len(n)),
           array(runif(2 * n), c(2, n)), pc_as(runif(n) * 0 + 0.25, "float32"),
           pc_as(runif(n), units = "m"))
  }
  value <- function(depth) {
    kind <- sample(if (depth > 0) 4 else 2, 1)
    if (kind == 1) return(scalar())
    if (kind == 2) return(vector())
    items <- lapply(seq_len(sample(0:4, 1)), function(i) value(depth - 1))
    if (kind == 3) items else stats::setNames(items, sprintf("k%d %s", seq_along(items), letters[seq_along(items)]))
  }
  through <- 0
  for (i in 1:200) {
    x <- value(3)
    same(x)
    bytes <- caught(pc_encode(x, "yggdrasil"))
    if (is.raw(bytes)) {
      expect_identical(pc_encode(pc_decode(bytes, "yggdrasil"), "yggdrasil"), bytes)
      through <- through + 1
    }
  }
  expect_gt(through, 150)
})

test_that("views are vectors like others", {
  file <- tempfile(fileext = ".awkd")
  numbers <- as.double(1:10000)
  pc_save(list(x = numbers), file)
  x <- pc_open(file)$x
  expect_identical(sum(x), sum(numbers))
  expect_identical(x[5:6], c(5, 6))
  y <- x
  y[1] <- -1
  expect_identical(x[1], 1)
  expect_identical(y[2], 2)
  expect_identical(unserialize(serialize(x, NULL)), numbers)
  unlink(file)
  gc()
  expect_identical(x, numbers)
})
