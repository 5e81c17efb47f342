// SPDX-License-Identifier: MIT
// polycodec for the extension: its classes, and its errors as a query shows them.
#pragma once

#include <polycodec/polycodec.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace polycodec_sql {

using polycodec::Budget;
using polycodec::Error;
using polycodec::Limits;
using polycodec::Registry;
using polycodec::Source;
using polycodec::Status;
using polycodec::to_string_view;
using polycodec::Value;
using polycodec::View;

/// An error of the extension's own, whose message is all that a query shows.
class Failure : public Error {
 public:
  explicit Failure(std::string message) : Error(Status::invalid, std::move(message)) {}
};

/// What a query shows of an error: of one of the library also its status, its place, and what to do
/// about it in SQL.
std::string text_of(const std::exception& e);

}  // namespace polycodec_sql
