#include "client/wire_error.h"

#include <string>
#include <vector>

#include "value/json.h"
#include "wire/member_reader.h"

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
  std::optional<std::string> message;
  for (const std::string_view name : {"message", "Message"}) {
    if (!message) in(name, message);
  }
  return message.value_or("");
}

std::string EncodedItem(MemberReader& in) {
  std::optional<Item> item;
  in("Item", item);
  return item && !in.failed() ? std::move(*item).encoded() : std::string();
}

std::vector<CancellationReason> ReasonsOf(MemberReader& in) {
  std::vector<CancellationReason> reasons;
  in.Each("CancellationReasons", "CancellationReason", reasons,
          [](MemberReader& one, CancellationReason& reason) {
            reason.code = "None";
            one("Code", reason.code);
            one("Message", reason.message);
            reason.item = EncodedItem(one);
          });
  if (in.failed()) reasons.clear();
  return reasons;
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
  ReadContext context{.refuse_problems = true};
  MemberReader in(document.root(), context);
  std::optional<std::string> type;
  in("__type", type);
  if (!type || BareName(*type).empty()) return Bare(http_status);
  Error::Wire wire{.name = BareName(*type), .message = MessageOf(in)};
  // Detail that cannot be read does not hide the error itself.
  wire.item = EncodedItem(in);
  wire.reasons = ReasonsOf(in);
  return Error::FromWire(std::move(wire));
}

}  // namespace stator
