// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <exception>

namespace polycodec_sql {

void Check::check(int32_t code) const {
  if (code == POLYCODEC_OK) return;
  const polycodec::Error error = call_.error(code);
  std::string text = error.message();
  std::string place;
  if (!error.codec().empty()) text.insert(0, error.codec() + ": ");
  if (!error.path().empty()) place += " at " + error.path();
  if (error.offset() != POLYCODEC_NO_OFFSET)
    place += (place.empty() ? " at byte " : ", byte ") + std::to_string(error.offset());
  if (error.code() == polycodec::Status::ambiguous) text += "; in SQL: codec := 'NAME'";
  if (error.code() == polycodec::Status::limit) text += "; in SQL: SET polycodec_NAME = NUMBER";
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
