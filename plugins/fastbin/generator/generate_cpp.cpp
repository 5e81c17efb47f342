// SPDX-License-Identifier: MIT
#include "code_text.hpp"
#include "cpp_names.hpp"
#include "fastbin/schema/hash.hpp"
#include "generate.hpp"

#include <cstddef>
#include <unordered_set>

namespace polycodec::fastbin {

void write_cpp_enum(CodeText& code, const Schema& schema, const CppNames& names,
                    std::size_t index) {
  const Enum& e = schema.enums[index];
  const std::string& name = names.enum_name(index);
  const std::vector<std::string> values = names.values(index);

  cpp_comment(code, e.doc);
  code.open("enum class " + name + " : " + std::string(cpp_primitive(e.storage)) + " {");
  for (std::size_t i = 0; i < values.size(); ++i) {
    cpp_comment(code, e.members[i].doc);
    code.line(values[i] + " = " + names.value(e, e.members[i]) + ",");
  }
  code.close("};").line();

  code.line("/// The name of a value in the schema; empty if it has none.");
  code.open("constexpr std::string_view to_string(" + name + " value) noexcept {");
  code.line("switch (value) {");
  for (std::size_t i = 0; i < values.size(); ++i) {
    code.line("  case " + name + "::" + values[i] + ":");
    code.line("    return " + cpp_literal(e.members[i].name) + ";");
  }
  code.line("}").line("return {};").close("}");
  code.line("/// True if the schema has a name for the value.");
  code.open("constexpr bool is_known(" + name + " value) noexcept {");
  code.line("return !to_string(value).empty();").close("}");
  code.line(
      "/// Sets `value` to the value of this name; false, and nothing set, if there is none.");
  code.open("constexpr bool from_string(std::string_view name, " + name + "& value) noexcept {");
  for (std::size_t i = 0; i < values.size(); ++i)
    code.line("if (name == " + cpp_literal(e.members[i].name) + ") return value = " + name +
              "::" + values[i] + ", true;");
  code.line("return false;").close("}");
  code.open("inline std::ostream& operator<<(std::ostream& out, " + name + " value) {");
  code.line("fastbin_runtime::print_enum(out, " + cpp_literal(e.name) + ", value);");
  code.line("return out;").close("}");

  if (e.generate_parse) {
    code.line("/// The value that a text stands for, if any.");
    code.open("constexpr std::optional<" + name + "> parse_" + e.name +
              "(std::string_view text) noexcept {");
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const std::string& text : e.members[i].texts)
        code.line("if (text == " + cpp_literal(text) + ") return " + name + "::" + values[i] + ";");
    code.line("return std::nullopt;").close("}");
  }
  code.line();
}

namespace {

// Those of the C standard, and those of glibc as far as anybody might call something so: limits,
// numbers of errors and signals, words. A blank stands behind each.
constexpr std::string_view macros =
    "BIG_ENDIAN BOOL_MAX BUFSIZ BYTE_ORDER CHAR_BIT CHAR_MAX CHAR_MIN CLOCKS_PER_SEC "
    "CLOCK_BOOTTIME "
    "CLOCK_BOOTTIME_ALARM CLOCK_MONOTONIC CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC_RAW "
    "CLOCK_PROCESS_CPUTIME_ID "
    "CLOCK_REALTIME CLOCK_REALTIME_ALARM CLOCK_REALTIME_COARSE CLOCK_TAI CLOCK_THREAD_CPUTIME_ID "
    "CSIGNAL "
    "DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN "
    "DBL_MIN_10_EXP DBL_MIN_EXP DECIMAL_DIG DOMAIN E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV "
    "EAFNOSUPPORT "
    "EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED "
    "ECHILD ECHRNG "
    "ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT "
    "EEXIST "
    "EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO "
    "EISCONN EISDIR "
    "EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD "
    "ELIBEXEC "
    "ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG "
    "ENAVAIL ENETDOWN "
    "ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY "
    "ENOLCK ENOLINK "
    "ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN "
    "ENOTDIR "
    "ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP "
    "EOVERFLOW "
    "EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE "
    "EREMOTEIO "
    "ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME "
    "ETIMEDOUT "
    "ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXIT_FAILURE "
    "EXIT_SUCCESS FALSE "
    "FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FILENAME_MAX FLT_DECIMAL_DIG FLT_DIG FLT_EPSILON "
    "FLT_EVAL_METHOD FLT_MANT_DIG FLT_MAX FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP "
    "FLT_MIN_EXP "
    "FLT_RADIX FLT_ROUNDS FOPEN_MAX FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL "
    "HUGE_VALF "
    "HUGE_VALL INFINITY INT16_C INT16_MAX INT16_MIN INT32_C INT32_MAX INT32_MIN INT64_C INT64_MAX "
    "INT64_MIN "
    "INT8_C INT8_MAX INT8_MIN INTMAX_C INTMAX_MAX INTMAX_MIN INTPTR_MAX INTPTR_MIN INT_MAX INT_MIN "
    "LDBL_DECIMAL_DIG LDBL_DIG LDBL_EPSILON LDBL_MANT_DIG LDBL_MAX LDBL_MAX_10_EXP LDBL_MAX_EXP "
    "LDBL_MIN "
    "LDBL_MIN_10_EXP LDBL_MIN_EXP LINE_MAX LITTLE_ENDIAN LLONG_MAX LLONG_MIN LONG_LONG_MAX "
    "LONG_LONG_MIN "
    "LONG_MAX LONG_MIN MAXFLOAT MB_CUR_MAX MB_LEN_MAX M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 "
    "M_LOG10E "
    "M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAME_MAX NAN NSIG NULL OVERFLOW PATH_MAX "
    "PDP_ENDIAN PIPE_BUF "
    "PTRDIFF_MAX PTRDIFF_MIN RAND_MAX R_OK SCHAR_MAX SCHAR_MIN SCHED_BATCH SCHED_DEADLINE "
    "SCHED_FIFO "
    "SCHED_IDLE SCHED_ISO SCHED_OTHER SCHED_RR SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET "
    "SHRT_MAX "
    "SHRT_MIN SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO "
    "SIGIOT SIGKILL "
    "SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTOP SIGSYS SIGTERM "
    "SIGTRAP SIGTSTP "
    "SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_ATOMIC_MAX "
    "SIG_ATOMIC_MIN "
    "SIG_BLOCK SIG_DFL SIG_ERR SIG_HOLD SIG_IGN SIG_SETMASK SIG_UNBLOCK SIZE_MAX SNAN SSIZE_MAX "
    "STDERR_FILENO "
    "STDIN_FILENO STDOUT_FILENO TIMER_ABSTIME TIME_UTC TMP_MAX TRUE UCHAR_MAX UINT16_C UINT16_MAX "
    "UINT32_C "
    "UINT32_MAX UINT64_C UINT64_MAX UINT8_C UINT8_MAX UINTMAX_C UINTMAX_MAX UINTPTR_MAX UINT_MAX "
    "ULLONG_MAX "
    "ULONG_LONG_MAX ULONG_MAX UNDERFLOW USHRT_MAX WCHAR_MAX WCHAR_MIN WEOF WINT_MAX WINT_MIN W_OK "
    "X_OK alloca "
    "assert be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 "
    "le16toh le32toh "
    "le64toh linux major makedev minor offsetof setjmp sigmask sigsetjmp stderr stdin stdout unix "
    "va_arg "
    "va_copy va_end va_start ";

std::unordered_set<std::string_view> split(std::string_view names) {
  std::unordered_set<std::string_view> all;
  for (std::size_t at = 0, end = 0; (end = names.find(' ', at)) != std::string_view::npos;
       at = end + 1)
    all.insert(names.substr(at, end - at));
  return all;
}

}  // namespace

bool is_cpp_macro(std::string_view name) {
  static const std::unordered_set<std::string_view> all = split(macros);
  return all.contains(name);
}

namespace {

/// A macro that no other schema's header has.
std::string guard_of(const CppNames& names, std::string_view hash) {
  std::string guard = "FASTBIN_";
  for (const char c : names.name_space()) guard += c == ':' ? '_' : c;
  return guard + "_" + std::string(hash.substr(0, 16)) + "_HPP";
}

}  // namespace

std::vector<GeneratedFile> generate_cpp(const Schema& schema, std::string_view name) {
  const CppNames names(schema);
  const std::string hash = schema_hash(schema);
  const std::string guard = guard_of(names, hash);
  CodeText code(2);
  code.line("// Generated by `polycodec fastbin generate`. Changes belong into the schema.");
  code.line("// Schema: " + hash);
  code.line("#ifndef " + guard).line("#define " + guard).line();
  code.line("#include \"fastbin_runtime.hpp\"").line();
  code.line("#include <array>")
      .line("#include <cstddef>")
      .line("#include <cstdint>")
      .line("#include <optional>");
  code.line("#include <ostream>")
      .line("#include <span>")
      .line("#include <string_view>")
      .line("#include <tuple>");
  code.line();
  // A schema may call a value of an enum like a struct; that is shadowing, and no mistake of
  // whoever includes this.
  code.line("#if defined(__GNUC__)").line("#pragma GCC diagnostic push");
  code.line("#pragma GCC diagnostic ignored \"-Wshadow\"").line("#endif").line();
  code.line("namespace " + names.name_space() + " {").line();
  for (std::size_t i = 0; i < schema.enums.size(); ++i) write_cpp_enum(code, schema, names, i);
  for (std::size_t i = 0; i < schema.structs.size(); ++i) write_cpp_struct(code, schema, names, i);

  std::vector<std::string> all;
  for (std::size_t i = 0; i < schema.structs.size(); ++i) all.push_back(names.struct_name(i));
  code.line("/// The schema that this header was generated from.");
  code.open("struct fastbin_schema {");
  code.line("/// SHA-256 of the schema without its comments: equal for equal buffers.");
  code.line("static constexpr std::string_view hash = \"" + hash + "\";");
  code.list("using structs = fastbin_runtime::TypeList<", all, ">;");
  code.close("};").line();
  code.line("}  // namespace " + names.name_space()).line();
  code.line("#if defined(__GNUC__)").line("#pragma GCC diagnostic pop").line("#endif").line();
  code.line("#endif  // " + guard);
  return {{std::string(name) + ".hpp", code.text()},
          {"fastbin_runtime.hpp", std::string(cpp_runtime_text())}};
}

std::string default_name(std::string_view path) {
  std::string_view file = path.substr(path.find_last_of('/') + 1);
  std::string name(file.substr(0, file.find('.', 1)));
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(name.begin(), '_');
  return name;
}

}  // namespace polycodec::fastbin
