#include "auth/canonical_request.h"

#include <algorithm>
#include <utility>

#include "auth/header_fields.h"
#include "auth/query_string.h"

namespace stator {
namespace {

// Every run of blanks is one blank.
std::string SqueezedBlanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && !out.empty() && out.back() == ' ') continue;
    out.push_back(is_blank ? ' ' : c);
  }
  return out;
}

bool NeedsSqueezing(std::string_view value) {
  return value.find("  ") != std::string_view::npos || value.find('\t') != std::string_view::npos;
}

}  // namespace

std::optional<CanonicalRequest> CanonicalRequest::Of(const SignedRequest& request,
                                                     const SignatureParts& parts) {
  std::optional<CanonicalRequest> canonical(std::in_place);
  canonical->request_ = request;
  if (!request.query.empty()) {
    canonical->query_ = CanonicalQuery(request.query, parts.in_query ? "X-Amz-Signature" : "");
  }
  std::string_view names = parts.signed_headers;
  std::string_view previous;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    const std::string_view name = names.substr(0, end);
    if (name <= previous || !canonical->AddHeader(request, name)) return std::nullopt;
    previous = name;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return canonical;
}

bool CanonicalRequest::AddHeader(const SignedRequest& request, std::string_view name) {
  std::size_t count = 0;
  std::string_view value;
  std::string joined;
  for (const HeaderField& header : request.headers) {
    if (!SameHeaderName(header.name, name)) continue;
    std::string_view next = TrimBlanks(header.value);
    if (NeedsSqueezing(next)) next = Keep(SqueezedBlanks(next));
    if (++count == 1) {
      value = next;
      continue;
    }
    if (count == 2) joined = value;
    joined.append(",").append(next);
  }
  if (count == 0) return false;
  if (count > 1) value = Keep(std::move(joined));
  headers_.push_back({.name = name, .value = value});
  return true;
}

SignedRequest CanonicalRequest::view() const {
  SignedRequest view = request_;
  view.query = query_;
  view.headers = {headers_.data(), headers_.size()};
  return view;
}

}  // namespace stator
