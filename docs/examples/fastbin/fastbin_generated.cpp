// SPDX-License-Identifier: MIT
// Writes and reads a buffer with code that was generated from trades.schema.json (docs/fastbin.md
// shows parts of this).
#include <trades.hpp>

#include <iostream>
#include <vector>

namespace {

/// By values: all members at once, in any order; the size is known beforehand.
std::vector<std::byte> by_values() {
  const market::Trade::Values trades[] = {{.time = 1'700'000'000'000'000'000,
                                           .price = 101.25,
                                           .quantity = 300,
                                           .side = market::Side::Buy},
                                          {.time = 1'700'000'000'000'000'500,
                                           .price = 101.5,
                                           .quantity = 100,
                                           .side = market::Side::Sell}};
  const market::Note::Values notes[] = {{.author = "desk 4", .text = "fat finger?"}};
  const double depth[] = {3.0, 2.5, 0.25};

  market::Batch::Values batch;
  batch.depth = depth;
  batch.symbol = "XYZ";
  batch.trades = trades;
  batch.notes = notes;
  batch.extra = market::Note::Values{.author = "auto", .text = "end of day"};

  std::vector<std::byte> bytes(market::Batch::size_of(batch));
  const auto written = market::Batch::write(batch, bytes);
  if (!written) std::cerr << written.error() << "\n";
  return bytes;
}

/// In order: straight into a buffer, each element in its place, without knowing sizes beforehand.
std::vector<std::byte> in_order() {
  std::vector<std::byte> bytes(4096);
  fastbin_runtime::Output output(bytes);
  market::Batch::Writer batch(output);
  batch.symbol("XYZ");
  auto trades = batch.trades();
  trades.add({.time = 1'700'000'000'000'000'000,
              .price = 101.25,
              .quantity = 300,
              .side = market::Side::Buy});
  auto second = trades.add();
  second.time(1'700'000'000'000'000'500).price(101.5).quantity(100).side(market::Side::Sell);
  second.finish();
  trades.finish();
  auto notes = batch.notes();
  auto note = notes.add();
  note.author("desk 4").text("fat finger?");
  note.finish();
  notes.finish();
  const double depth[] = {3.0, 2.5, 0.25};
  batch.depth(depth);
  batch.extra(market::Note::Values{.author = "auto", .text = "end of day"});
  batch.finish();

  const auto written = output.finish();
  if (!written) std::cerr << written.error() << "\n";
  bytes.resize(output.size());
  return bytes;
}

/// Reads a buffer that nobody vouches for.
int read(std::span<const std::byte> bytes) {
  const auto batch = market::Batch::open(bytes);
  if (!batch) {
    std::cerr << "refused: " << batch.error() << "\n";
    return 1;
  }
  double traded = 0;
  for (const market::Trade& trade : batch->trades()) traded += trade.price() * trade.quantity();
  for (const market::Note& note : batch->notes())
    std::cout << note.author() << ": " << note.text() << "\n";
  if (const auto note = batch->extra().get<market::Note>()) std::cout << "extra: " << *note << "\n";
  std::cout << batch->symbol() << " " << traded << " " << batch->trades()[0].side() << " "
            << batch->depth()[2] << "\n";
  return 0;
}

}  // namespace

int main() {
  const std::vector<std::byte> bytes = by_values();
  if (in_order() != bytes) return 1;
  std::cout << *market::Batch::open(bytes) << "\n";
  // A buffer that was cut is refused, whatever is missing.
  if (market::Batch::verify(std::span(bytes).first(bytes.size() - 8))) return 1;
  return read(bytes);
}
