// SPDX-License-Identifier: MIT
// A function under test.
#include <polycodec/error.hpp>

#include "subjects.hpp"

#include <algorithm>

namespace polycodec::kit {

namespace {

const polycodec_function& find_function(const polycodec_functions* all, const std::string& name) {
  for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i)
    if (function_name(*all->items[i]) == name) return *all->items[i];
  fail("the plugin does not offer the function " + quote(name) + ", which its manifest names");
}

}  // namespace

FunctionSubject::FunctionSubject(Plugin& plugin, const Entry& entry)
    : SubjectOf(plugin, entry, find_function(plugin.tables().functions, entry.name)) {}

std::string function_name(const polycodec_function& function) {
  std::string name;
  for (std::uint32_t i = 0; i < function.n_path; ++i)
    name += (name.empty() ? "" : ".") + std::string(function.path[i]);
  return name;
}

Answer FunctionSubject::call_with(const polycodec_node& args, const polycodec_node* kwargs,
                                  const polycodec_node** result, Call& call) const {
  return call.run("call", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return object().call(&object(), call.abi(), &args, kwargs, result, error);
  });
}

// As many arguments as it needs, all alike. The number is in bounds: the host has checked it.
Answer FunctionSubject::call_with_each(const Node& argument, Reading& out, Call& call) const {
  const std::size_t count = std::max<std::size_t>(object().min_args, object().max_args != 0);
  const auto args = std::make_shared<std::vector<Node>>(count + 1, argument);
  args->back() = polycodec_node_make(POLYCODEC_KIND_LIST, 0, count);
  args->back().as.nodes = args->data();
  call.others.add(args->data(), args->size() * sizeof(Node));
  out.owners.insert(out.owners.begin(), args);
  return call_with(args->back(), nullptr, &out.root, call);
}

Answer FunctionSubject::do_read(const Encoded& input, Reading& out, Call& call) const {
  const auto bytes = std::make_shared<GuardedBytes>(input.bytes());
  call.others.add(bytes->view());
  out.owners.insert(out.owners.begin(), bytes);
  return call_with_each(Builder::bytes_view(bytes->view()), out, call);
}

Answer FunctionSubject::do_write(const Sample& value, Encoded& out, Call& call) const {
  Reading result;
  Answer answer = call_with_each(*value.root, result, call);
  if (!answer.ok()) return answer;
  require(result.root != nullptr, "the function returned OK and no result");
  result.regions = call.regions();
  try {
    check_value(result.root, call.settings().limits, result.regions);
  } catch (const Error& e) {  // a host refuses the result
    answer.code = fill_error(&answer.error, e);
    return answer;
  }
  out.parts = {{std::string(), text_of(result)}};
  return answer;
}

}  // namespace polycodec::kit
