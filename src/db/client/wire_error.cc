#include "client/wire_error.h"

#include <string>
#include <vector>

#include "api/member_reader.h"
#include "client/response_parts.h"
#include "value/json.h"

namespace stator {
namespace {

constexpr int kServerErrors = 500;

// "prefix#Name" or "prefix#Name:http://…" to "Name".
std::string_view BareName(std::string_view type) {
  if (const std::size_t hash = type.find('#'); hash != std::string_view::npos) {
    type.remove_prefix(hash + 1);
  }
  return type.substr(0, type.find(':'));
}

std::string MessageOf(MemberReader& in) {
  for (const std::string_view name : {"message", "Message"}) {
    if (std::optional<std::string> message = in.String(name)) return *std::move(message);
  }
  return {};
}

std::string EncodedItem(MemberReader& in) {
  std::optional<Item> item = ReadItemMember(in, "Item");
  return item ? std::move(*item).encoded() : std::string();
}

std::vector<CancellationReason> ReasonsOf(MemberReader& in) {
  auto reasons =
      in.Structures<CancellationReason>("CancellationReasons", "CancellationReason",
                                        [](MemberReader& one, CancellationReason& reason) {
                                          reason.code = one.String("Code").value_or("None");
                                          reason.message = one.String("Message").value_or("");
                                          reason.item = EncodedItem(one);
                                        });
  if (!reasons) return {};
  return *std::move(reasons);
}

Error Bare(int http_status) {
  const std::string message =
      "HTTP status " + std::to_string(http_status) + " without an error of DynamoDB's";
  if (http_status >= kServerErrors) return Error::InternalServerError(message);
  return Error::FromWire({.message = message});
}

}  // namespace

Error ErrorFromAnswer(int http_status, std::string_view body) {
  JsonDocument document;
  if (!document.Parse(body)) return Bare(http_status);
  MemberReader in(document.root());
  const std::optional<std::string> type = in.String("__type");
  if (!type || BareName(*type).empty()) return Bare(http_status);
  Error::Wire wire{.name = BareName(*type), .message = MessageOf(in)};
  // Detail that cannot be read does not hide the error itself.
  wire.item = EncodedItem(in);
  wire.reasons = ReasonsOf(in);
  return Error::FromWire(std::move(wire));
}

}  // namespace stator
