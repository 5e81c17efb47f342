# SPDX-License-Identifier: MIT
# Errors and losses as conditions.

#' @noRd
raise <- function(fields) {
  fields <- setNames(as.list(fields), c("reason", "code", "detail", "path", "codec", "byte"))
  fields$byte <- byte <- as.double(fields$byte)
  where <- c(if (nzchar(fields$detail)) fields$detail,
             if (!is.na(byte)) paste("byte", format(byte, scientific = FALSE)),
             if (nzchar(fields$path)) paste("in", fields$path))
  message <- paste0(if (nzchar(fields$codec)) paste0(fields$codec, ": "), fields$reason,
                    if (length(where)) paste0(" (", paste(where, collapse = ", "), ")"))
  stop(structure(class = c(paste0("pc_", fields$code), "pc_error", "error", "condition"),
                 c(list(message = message, call = NULL), fields)))
}

refuse <- function(code, detail, path, ...) {
  raise(c(paste0(...), code, detail, path, "", NA))
}

#' Evaluates a call of the library, and tells the losses that it reported.
#' @noRd
telling <- function(result, on_loss = NULL) {
  .Call(pc_c_losses)
  force(result)
  found <- matrix(.Call(pc_c_losses), nrow = 3)
  for (i in seq_len(ncol(found))) {
    lost <- list(message = paste0("lost ", found[2, i], ": ", found[3, i]), call = NULL,
                 class = loss_classes[as.integer(found[1, i]) + 1], path = found[2, i], what = found[3, i])
    is_data <- lost$class %in% c("type", "data", "mended")
    if (!is.null(on_loss)) on_loss(lost$class, lost$path, lost$what)
    else if (is_data) warning(structure(lost, class = c("pc_loss", "warning", "condition")))
    else signalCondition(structure(lost, class = c("pc_loss", "condition")))
  }
  result
}
