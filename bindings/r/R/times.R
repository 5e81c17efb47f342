# SPDX-License-Identifier: MIT
# Times, which the library has as counts of a unit, and R as numbers of days or seconds.

usual_times <- c(Date = "datetime[unit='D']", POSIXct = "datetime[unit='us']", difftime = "timedelta[unit='us']")
unit_of <- function(word) sub(".*unit='([a-zA-Z]+)'.*", "\\1", word)
#' The days or seconds of a unit that is not shorter, and how many of a shorter unit are a second.
#' @noRd
length_of <- function(unit) switch(unit, Y = 12, W = 7, h = 3600, m = 60, 1)
parts_of <- function(unit) 1000^max(0, match(unit, unit_names) - 7)

#' Counts of a unit as Date, POSIXct or difftime.
#' @noRd
times <- function(x, word, path) {
  unit <- unit_of(word)
  is_time <- grepl("^[?]?datetime", word)
  in_days <- unit %in% c("Y", "M", "W", "D")
  parts <- parts_of(unit)
  whole <- x %/% bit64::as.integer64(parts)
  rest <- as.double(x - whole * bit64::as.integer64(parts))
  number <- (as.double(whole) + rest / parts) * length_of(unit)
  if (unit %in% c("Y", "M")) {
    if (!is_time)
      refuse("unsupported", "r.duration", path, "R has no difference of times in months or years")
    date <- as.POSIXlt(rep(as.Date("1970-01-01"), length(x)))
    date$mon <- number
    number <- as.double(as.Date(date))
  }
  is_finer <- parts > 1e6 & rest %% (parts / 1e6) != 0
  if (any(is_finer | (rest != 0 & abs(number) > 2^33), na.rm = TRUE))
    .Call(pc_c_lose, match("data", loss_classes) - 1L, path, "parts of microseconds")
  class <- if (!is_time) "difftime" else if (in_days) "Date" else c("POSIXct", "POSIXt")
  structure(number, class = class, dim = dim(x), dtype = if (!word %in% usual_times) word,
            units = if (!is_time) if (in_days) "days" else "secs",
            tzone = if (is_time && !in_days) "UTC")
}

#' Counts of a unit of days or seconds, which must be whole.
#' @noRd
counts <- function(x, path) {
  word <- attr(x, "dtype")
  if (is.null(word)) word <- usual_times[[intersect(class(x), names(usual_times))]]
  unit <- unit_of(word)
  bad <- function(why) refuse("range", "r.time", path, "a time ", why, " '", unit,
                              "': choose another dtype, such as pc_as(x, \"datetime[unit='us']\")")
  if (inherits(x, "difftime") && attr(x, "units") != "days") units(x) <- "secs"
  in_days <- inherits(x, "Date") || identical(attr(x, "units"), "days")
  count <- as.double(unclass(x))
  count[!is.finite(count)] <- NA
  in_seconds <- !unit %in% c("Y", "M", "W", "D")
  if (in_days == in_seconds) count <- if (in_days) count * 86400 else count / 86400
  if (unit %in% c("Y", "M")) {
    date <- as.POSIXlt(as.Date(count, origin = "1970-01-01"), tz = "UTC")
    if (any(date$mday != 1, na.rm = TRUE)) bad("is not a count of")
    count <- (date$year - 70) * 12 + date$mon
  }
  count <- count / length_of(unit)
  whole <- floor(count)
  micro <- round((count - whole) * 1e6)
  parts <- parts_of(unit)
  is_whole <- if (match(unit, unit_names) < 7) count == whole else (micro * (parts %% 1e6)) %% 1e6 == 0
  if (any(!is_whole, na.rm = TRUE)) bad("is not a count of")
  finer <- bit64::as.integer64(round(micro * min(parts / 1e6, 1))) * bit64::as.integer64(max(parts / 1e6, 1))
  made <- suppressWarnings(bit64::as.integer64(whole) * bit64::as.integer64(parts) + finer)
  if (any(is.na(made) & !is.na(whole))) bad("is too far from 1970 for")
  structure(made, dim = dim(x), dtype = word)
}
