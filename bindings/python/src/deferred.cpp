// SPDX-License-Identifier: MIT
#include "deferred.hpp"

namespace polycodec_python {

Deferred::Deferred(nb::object registry, host::Source source, std::unique_ptr<const Format> format,
                   std::unique_ptr<CallOptions> options)
    : registry_(std::move(registry)),
      source_(std::move(source)),
      format_(std::move(format)),
      options_(std::move(options)) {}

const Value& Deferred::decoded() {
  if (value_) return *value_;
  std::unique_lock lock(mutex_, std::defer_lock);
  {
    // The thread that decodes needs the interpreter to end.
    const nb::gil_scoped_release unlocked;
    lock.lock();
  }
  if (value_) return *value_;
  if (is_decoding_)
    throw Error(Status::invalid,
                "the value is being decoded by this thread: a callback must not use it");
  struct Mark {
    bool& is_set;
    explicit Mark(bool& to) : is_set(to) { is_set = true; }
    ~Mark() { is_set = false; }
  } mark(is_decoding_);
  value_ = nb::cast<Registry&>(registry_).decode_source(source_, *format_, *options_);
  return *value_;
}

void Value::resolve() const {
  const std::shared_ptr<Deferred> deferred = deferred_;
  const Value& made = deferred->decoded();
  handle_ = made.handle();
  codec_ = made.codec_;
  deferred_ = nullptr;
}

}  // namespace polycodec_python
