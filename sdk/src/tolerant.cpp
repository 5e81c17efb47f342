// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/tolerant.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <system_error>

namespace polycodec {
namespace {

template <class T>
bool is_decimal(std::string_view word, T& value) noexcept {
  const DecimalEnd read = parse_decimal(word.data(), word.data() + word.size(), value);
  return read.status == DecimalStatus::ok && read.end == word.data() + word.size();
}

// Takes the lower-case `start` from the front of a word, in any case.
bool take(std::string_view& word, std::string_view start) noexcept {
  if (word.size() < start.size()) return false;
  for (std::size_t i = 0; i < start.size(); ++i)
    if (word[i] != start[i] && (start[i] < 'a' || (word[i] | 0x20) != start[i])) return false;
  word.remove_prefix(start.size());
  return true;
}

// Takes the sign; true: it is a minus.
bool take_sign(std::string_view& word) noexcept {
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.remove_prefix(1);
  return negative;
}

void take_zeros(std::string_view& word) noexcept {
  word.remove_prefix(std::min(word.size(), word.find_first_not_of('0')));
}

// What libraries print for NaN and infinities: `nan(...)`, and `1.#INF` with zeros for its
// precision and exponent.
template <std::floating_point T>
bool is_not_finite(std::string_view word, T& value) noexcept {
  const bool negative = take_sign(word);
  T found = std::numeric_limits<T>::quiet_NaN();
  if (take(word, "nan(")) {
    for (; word.size() > 1; word.remove_prefix(1)) {
      const char c = word[0];
      if (!detail::is_digit(c) && c != '_' && static_cast<unsigned char>((c | 0x20) - 'a') > 25)
        return false;
    }
    if (word != ")") return false;
  } else {
    if (!take(word, "1.#")) return false;
    if (take(word, "inf"))
      found = std::numeric_limits<T>::infinity();
    else if (!take(word, "ind") && !take(word, "qnan") && !take(word, "snan"))
      return false;
    take_zeros(word);
    if (take(word, "e")) {
      take_sign(word);
      if (!word.starts_with('0')) return false;
      take_zeros(word);
    }
    if (!word.empty()) return false;
  }
  value = negative ? -found : found;
  return true;
}

// `0x1.8p3`.
template <std::floating_point T>
bool is_hexadecimal(std::string_view word, T& value) noexcept {
  const bool negative = take_sign(word);
  if (!take(word, "0x") || word.empty() || word[0] == '-') return false;
  T found{};
  const auto read =
      std::from_chars(word.data(), word.data() + word.size(), found, std::chars_format::hex);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return false;
  value = negative ? -found : found;
  return true;
}

// A number in the spelling of other languages and locales as parse_decimal() reads it; of other
// words nothing, or the word itself.
std::string usual_number(std::string_view word) {
  std::string text(word);
  if (const std::size_t comma = text.find(','); comma != std::string::npos) {
    // With three digits after it a comma may also separate thousands, but for a zero before it.
    const std::size_t first = text[0] == '+' || text[0] == '-' ? 1 : 0;
    std::size_t after = comma + 1;
    while (after < text.size() && detail::is_digit(text[after])) ++after;
    const bool is_thousands = after - comma == 4 && comma > first && text[first] != '0';
    if (is_thousands || text.find('.') != std::string::npos ||
        text.find(',', comma + 1) != std::string::npos)
      return {};
    text[comma] = '.';
  }
  const std::size_t mantissa = text.find_first_of("0123456789.");
  const std::size_t end = text.find_first_not_of("0123456789.", mantissa);
  if (end == std::string::npos) return text;
  if (text[end] == 'd' || text[end] == 'D') text[end] = 'e';
  if (text[end] == '+' || text[end] == '-') {
    if (end + 1 < text.size() && (text[end + 1] | 0x20) == 'e')
      std::swap(text[end], text[end + 1]);
    else if (text.find('.') < end)
      text.insert(end, 1, 'e');
  }
  return text;
}

template <std::floating_point T>
bool is_number(std::string_view word, T& value) noexcept {
  return is_decimal(word, value) || is_not_finite(word, value);
}

template <std::floating_point T>
bool is_foreign(std::string_view word, T& value) {
  return is_number(word, value) || is_hexadecimal(word, value) ||
         is_number(usual_number(word), value);
}

template <std::floating_point T>
bool mended(std::string_view word, T& value) {
  if (is_foreign(word, value)) return true;
  value = std::numeric_limits<T>::quiet_NaN();
  return word.find_first_of("0123456789") == std::string_view::npos;
}

// Goes over JSON text and puts spaces where something is to be mended.
class JsonMender {
 public:
  JsonMender(std::string_view text, MendNotes& notes, Builder& out, std::uint64_t offset)
      : text_(text), notes_(notes), out_(out), offset_(offset) {}

  std::string_view run() {
    if (text_.starts_with("\xef\xbb\xbf")) blank(0, 3, "a byte order mark");
    const std::size_t end = text_.find_last_not_of('\0') + 1;
    if (end != text_.size()) blank(end, text_.size(), "zero bytes at the end");
    std::size_t comma = none;  // the last token, if it is one
    for (std::size_t at = 0; at < end;) {
      const char c = text_[at];
      if (c == '"') {
        at = string_end(at, end);
        comma = none;
      } else if (c == '/') {
        const std::size_t stop = comment_end(at, end);
        if (stop != at) blank(at, stop, "a comment");
        at = stop == at ? at + 1 : stop;
      } else {
        if ((c == ']' || c == '}') && comma != none)
          blank(comma, comma + 1, "a comma before " + quote_byte(c));
        if (c == ',')
          comma = at;
        else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
          comma = none;
        ++at;
      }
    }
    return copy_ == nullptr ? text_ : std::string_view(copy_, text_.size());
  }

 private:
  static constexpr std::size_t none = std::string_view::npos;

  std::size_t string_end(std::size_t at, std::size_t end) const noexcept {
    for (++at; at < end; ++at) {
      if (text_[at] == '\\')
        ++at;
      else if (text_[at] == '"')
        return at + 1;
    }
    return end;
  }
  // The end of the comment that begins here, or `at`.
  std::size_t comment_end(std::size_t at, std::size_t end) const noexcept {
    const std::string_view start = text_.substr(at, 2);
    if (start == "//") return std::min(end, text_.find_first_of("\r\n", at));
    const std::size_t stop = start == "/*" ? text_.find("*/", at + 2) : none;
    return stop == none ? at : stop + 2;
  }
  void blank(std::size_t from, std::size_t to, const std::string& what) {
    if (copy_ == nullptr) {
      copy_ = out_.allocate<char>(text_.size());
      std::copy(text_.begin(), text_.end(), copy_);
    }
    // Lines stay lines.
    std::replace_if(
        copy_ + from, copy_ + to, [](char c) { return c != '\n' && c != '\r'; }, ' ');
    if (notes_.full()) return notes_.count(LossClass::note);
    notes_.add(LossClass::note, "$",
               "byte " + std::to_string(offset_ + from) + ": " + what + "; left out");
  }

  const std::string_view text_;
  MendNotes& notes_;
  Builder& out_;
  const std::uint64_t offset_;
  char* copy_ = nullptr;
};

}  // namespace

std::string_view mended_json(std::string_view text, MendNotes& notes, Builder& out,
                             std::uint64_t offset) {
  return JsonMender(text, notes, out, offset).run();
}

bool tolerant_option(const Options& options) {
  const bool tolerant = options.get("tolerant", false);
  if (tolerant && options.get("strict", false))
    throw Error(Status::option, "'tolerant' and 'strict' are both true: choose one");
  return tolerant;
}

bool number_word(std::string_view word, float& value) noexcept {
  return is_number(word, value);
}
bool number_word(std::string_view word, double& value) noexcept {
  return is_number(word, value);
}
bool number_word(std::string_view word, std::int64_t& value) noexcept {
  return is_decimal(word, value);
}

bool mended_number(std::string_view word, float& value) {
  return mended(word, value);
}
bool mended_number(std::string_view word, double& value) {
  return mended(word, value);
}
bool mended_number(std::string_view word, std::int64_t& value) {
  if (is_decimal(word, value)) return true;
  constexpr double most = 9007199254740992.0;  // beyond it doubles are not all integers
  double real = 0;
  if (!is_foreign(word, real) || !(real >= -most && real <= most) || real != std::trunc(real))
    return false;
  value = static_cast<std::int64_t>(real);
  return true;
}

std::string number_text(double value) {
  char text[max_decimal_size];
  return {text, static_cast<std::size_t>(print_decimal(text, value) - text)};
}

void MendNotes::add(const MendNotes& part, const std::string& path) {
  mended_ += part.mended_;
  notes_ += part.notes_;
  for (const Note& note : part.shown_) {
    if (full()) return;
    shown_.push_back({note.loss,
                      path + note.path.substr(std::min<std::size_t>(1, note.path.size())),
                      note.what});
  }
}

void MendNotes::report(const Call& call) const {
  std::uint64_t mended = mended_, notes = notes_;
  for (const Note& note : shown_) {
    call.report_loss(note.loss, note.path, note.what);
    --(note.loss == LossClass::mended ? mended : notes);
  }
  const auto report_others = [&](LossClass loss, std::uint64_t count) {
    if (count != 0)
      call.report_loss(loss, "$",
                       std::to_string(count) + " further places were " +
                           (loss == LossClass::mended ? "mended" : "noted"));
  };
  report_others(LossClass::mended, mended);
  report_others(LossClass::note, notes);
}

}  // namespace polycodec
