// SPDX-License-Identifier: MIT
// Two programs agree on a codec: the receiver offers what it reads, the sender chooses for each
// type of value.
#pragma once

#include <polycodec/config.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/message.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/registry.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// One codec that a receiver reads.
struct OfferedCodec {
  std::string codec;                  ///< canonical name
  std::vector<std::string> versions;  ///< versions of its format; empty: any
  std::vector<std::string>
      types;  ///< datashape patterns of values, such as `N * float64`; empty: any
  std::optional<std::uint64_t> max_bytes;  ///< the longest body that is read; nothing: any
  friend bool operator==(const OfferedCodec&, const OfferedCodec&) = default;
};

/// What a receiver reads, most welcome first.
struct Offer {
  std::string peer;  ///< who offers, for rules and for people; may be empty
  std::vector<OfferedCodec> codecs;
  friend bool operator==(const Offer&, const Offer&) = default;
};

/// The most codecs of an offer, and versions and types of each.
inline constexpr std::size_t max_offered = 256;

/// Reads an offer: `{"peer": TEXT, "codecs": [{"codec": NAME, "versions": [TEXT], "types": [TEXT],
/// "max_bytes": N}]}`, of which only "codecs" and "codec" must be there and unknown members are
/// ignored. Throws what parse_json() throws, and Status::malformed (detail `negotiation.offer`)
/// with the path of what is wrong. A name that is no codec name, or a type that is no pattern, is
/// wrong; a codec that nobody has is not.
POLYCODEC_API Offer parse_offer(std::string_view json, const Limits& limits = {});
/// The same text again, in canonical form.
POLYCODEC_API std::string to_json(const Offer& offer);

/// An offer of the codecs that `registry` has and its policy lets decode, in the order of
/// `preferred` (names or aliases; unknown ones throw Status::not_found), or if that is empty in
/// order of name.
POLYCODEC_API Offer make_offer(const Registry& registry, std::string peer = {},
                               std::span<const std::string> preferred = {},
                               std::optional<std::uint64_t> max_bytes = {});
/// What is assumed of a peer that offers nothing: a program that speaks yggdrasil.
POLYCODEC_API Offer offer_of_silent_peer();

/// What came of one codec of an offer.
struct Verdict {
  std::string codec;
  bool fits = false;
  std::string reason;  ///< for people
};

/// What the sender decided for a value. The same offer, value, registry and rules give the same
/// agreement.
struct Agreement {
  std::string codec;              ///< empty: none of the offered codecs can be used for this value
  std::string version;            ///< of its format
  std::string options;            ///< from the rule that chose it, as JSON; or empty
  std::string reason;             ///< why this one, for people
  std::vector<Verdict> verdicts;  ///< in the order of the offer

  /// All of it in lines, for both sides.
  POLYCODEC_API std::string explain() const;
};

/// Chooses: of the offered codecs that are there, that the policy lets encode, whose version, types
/// and size fit, and that can encode the value, the one that the sender's rules (`configuration`,
/// may be null) name; otherwise the first of the offer. Codecs that cannot tell the size beforehand
/// are tried. Throws only Status::cancelled and Status::memory; what else a codec says is the
/// reason of its verdict.
POLYCODEC_API Agreement agree(const Registry& registry, const Configuration* configuration,
                              const Offer& offer, NodeView value, const CallOptions& options = {});

// -- as messages of our frame: `"negotiation": "offer"` or `"choice"` in the header, JSON as body
// --

/// What a message has to do with negotiation.
enum class NegotiationStep : std::uint8_t { none, offer, choice };
POLYCODEC_API NegotiationStep negotiation_step(const Header& header) noexcept;

/// The whole message.
POLYCODEC_API std::string offer_message(const Offer& offer);
/// `{"codec": NAME or null, "version": TEXT, "reason": TEXT, "verdicts": [{"codec", "fits",
/// "reason"}]}`
POLYCODEC_API std::string choice_message(const Agreement& agreement);
/// Reads the body of a choice. Throws as parse_offer(), detail `negotiation.choice`.
POLYCODEC_API Agreement parse_choice(std::string_view json, const Limits& limits = {});

}  // namespace polycodec
