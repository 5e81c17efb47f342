// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <exception>

namespace polycodec_sql {

void Check::hear(void* self, polycodec_bytes message, polycodec_bytes path) noexcept {
  auto& check = *static_cast<Check*>(self);
  try {
    check.message_ = text_of(message);
    check.path_ = text_of(path);
    check.is_said_ = true;
  } catch (...) {  // NOLINT: without memory what fits into the fields must do
  }
}

void Check::check(int32_t code) const {
  if (code == POLYCODEC_OK) return;
  std::string text = is_said_ ? message_ : error_.message;
  const std::string path = is_said_ ? path_ : error_.path;
  std::string place;
  if (error_.codec[0] != '\0') text.insert(0, std::string(error_.codec) + ": ");
  if (!path.empty()) place += " at " + path;
  if (error_.offset != POLYCODEC_NO_OFFSET)
    place += (place.empty() ? " at byte " : ", byte ") + std::to_string(error_.offset);
  if (error_.code == POLYCODEC_ERROR_AMBIGUOUS) text += "; in SQL: codec := 'NAME'";
  if (error_.code == POLYCODEC_ERROR_LIMIT) text += "; in SQL: SET polycodec_NAME = NUMBER";
  throw Failure(text + " (" + polycodec_status_name(code) + place + ")", code);
}

Sink make_sink() {
  Check call;
  polycodec_sink* sink = nullptr;
  call.check(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, call.error()));
  return Sink(sink);
}

std::string taken(const Sink& sink) {
  Check call;
  polycodec_bytes bytes{};
  call.check(polycodec_sink_bytes(sink.get(), &bytes, call.error()));
  return std::string(text_of(bytes));
}

Value part_of(const Value& value, const polycodec_item& item) {
  Check call;
  polycodec_value* part = nullptr;
  call.check(polycodec_value_part(value.get(), &item, 0, UINT64_MAX, &part, call.error()));
  return Value(part);
}

Budget budget_of(const Value& value, const polycodec_limits& limits) {
  Check call;
  polycodec_budget* budget = nullptr;
  call.check(
      polycodec_budget_create(nullptr, value.get(), &limits, nullptr, &budget, call.error()));
  return Budget(budget);
}

void spend(const Budget& budget, std::uint64_t units, std::uint64_t bytes) {
  Check call;
  call.check(polycodec_budget_spend(budget.get(), units, bytes, call.error()));
}

void walk(const Budget& budget, const std::function<void()>& body) {
  struct Run {
    const std::function<void()>& body;
    std::exception_ptr failure;
  } run{body, nullptr};
  Check call;
  call.check(polycodec_budget_walk(
      budget.get(),
      [](void* data) {
        auto& self = *static_cast<Run*>(data);
        try {
          self.body();
        } catch (...) {
          self.failure = std::current_exception();
        }
      },
      &run, call.error()));
  if (run.failure != nullptr) std::rethrow_exception(run.failure);
}

std::string type_notation(const Value& value) {
  Check call;
  const Sink sink = make_sink();
  call.check(polycodec_value_type(value.get(), nullptr, sink.get(), call.error()));
  return taken(sink);
}

}  // namespace polycodec_sql
