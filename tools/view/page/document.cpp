// SPDX-License-Identifier: MIT
#include "document.hpp"

#include "assets.hpp"
#include "blob.hpp"

#include <nettle/sha2.h>

namespace polycodec::page {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

/// The word of a content security policy for an element with this text.
std::string hash_source(std::string_view text) {
  ::sha256_ctx hash;
  ::sha256_init(&hash);
  ::sha256_update(&hash, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  ::sha256_digest(&hash, sizeof digest, digest);
  return "'sha256-" + to_base64({reinterpret_cast<const char*>(digest), sizeof digest}) + "'";
}

}  // namespace

std::string document(std::string_view title, std::string_view data) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src " +
      hash_source(page_script) + "; style-src " + hash_source(page_style) +
      "; img-src data: blob:; base-uri 'none'; form-action 'none'; "
      "require-trusted-types-for 'script'; trusted-types 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
      escaped(title) + "</title>\n<style>";
  out.append(page_style)
      .append(
          "</style>\n</head>\n<body>\n<noscript>This page needs JavaScript, which runs "
          "from the file itself.</noscript>\n<main id=\"page\"></main>\n"
          "<script type=\"application/json\" id=\"data\">");
  out.reserve(out.size() + data.size() + data.size() / 16 + page_script.size() + 100);
  for (const char c : data) {
    if (c == '<')
      out += "\\u003c";
    else
      out.push_back(c);
  }
  out.append("</script>\n<script>").append(page_script).append("</script>\n</body>\n</html>\n");
  return out;
}

}  // namespace polycodec::page
