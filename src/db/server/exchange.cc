#include "server/exchange.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "server/options.h"
#include "stator/database.h"

namespace stator::server {
namespace {

// A target may name the whole URL (as sent through proxies): keeps what follows the authority.
std::string_view StripAuthority(std::string_view target) {
  const std::size_t scheme_end = target.find("://");
  if (target.starts_with('/') || scheme_end == std::string_view::npos) return target;
  const std::size_t path = target.find_first_of("/?", scheme_end + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

void ClearAndShrink(std::string& text) {
  if (text.capacity() > kSpareBytesMax) {
    std::string().swap(text);
  } else {
    text.clear();
  }
}

}  // namespace

void RequestHead::Clear() {
  bytes_.clear();
  target_size_ = 0;
  in_value_ = true;
  spans_.clear();
  headers_.clear();
}

void RequestHead::AppendTarget(std::string_view piece) {
  bytes_ += piece;
  target_size_ = bytes_.size();
}

void RequestHead::AppendHeaderName(std::string_view piece) {
  if (in_value_) {
    const auto begin = static_cast<std::uint32_t>(bytes_.size());
    spans_.push_back({begin, begin, begin});
    in_value_ = false;
  }
  bytes_ += piece;
  const auto end = static_cast<std::uint32_t>(bytes_.size());
  spans_.back().value_begin = end;
  spans_.back().end = end;
}

void RequestHead::AppendHeaderValue(std::string_view piece) {
  if (spans_.empty()) return;
  in_value_ = true;
  bytes_ += piece;
  spans_.back().end = static_cast<std::uint32_t>(bytes_.size());
}

void RequestHead::Finish() {
  headers_.clear();
  const std::string_view all = bytes_;
  for (const Span& span : spans_) {
    headers_.push_back(
        {all.substr(span.name_begin, span.value_begin - span.name_begin),
         http::TrimBlanks(all.substr(span.value_begin, span.end - span.value_begin))});
  }
}

std::string_view RequestHead::path() const {
  const std::string_view rest = StripAuthority(target());
  const std::string_view path = rest.substr(0, rest.find('?'));
  return path.empty() ? std::string_view("/") : path;
}

std::string_view RequestHead::query() const {
  const std::string_view rest = target();
  const std::size_t mark = rest.find('?');
  return mark == std::string_view::npos ? std::string_view() : rest.substr(mark + 1);
}

std::optional<std::string_view> RequestHead::Find(std::string_view name) const {
  for (const http::HeaderField& header : headers_) {
    if (http::SameHeaderName(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::size_t RequestHead::Count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      headers_,
      [&](const http::HeaderField& header) { return http::SameHeaderName(header.name, name); }));
}

void PaddedBuffer::Free() {
  memory_.reset();
  size_ = 0;
  capacity_ = 0;
}

void PaddedBuffer::Reserve(std::size_t bytes) {
  if (memory_ && bytes <= capacity_) return;
  // realloc moves pages of large blocks instead of copying them.
  auto* grown = static_cast<char*>(std::realloc(memory_.release(), bytes + Database::kPadding));
  STATOR_CHECK(grown != nullptr);
  memory_.reset(grown);
  capacity_ = bytes;
}

void PaddedBuffer::Append(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t needed = size_ + bytes.size();
  if (!memory_ || needed > capacity_) Reserve(std::max(needed, capacity_ * 2));
  std::memcpy(memory_.get() + size_, bytes.data(), bytes.size());
  size_ = needed;
}

char* PaddedBuffer::Overwrite(std::size_t bytes) {
  size_ = 0;
  Reserve(bytes);
  size_ = bytes;
  return memory_.get();
}

std::string_view PaddedBuffer::Padded() {
  Reserve(size_);
  std::memset(memory_.get() + size_, 0, Database::kPadding);
  return {memory_.get(), size_};
}

void Exchange::Recycle() {
  head.Clear();
  if (body.capacity() > kSpareBytesMax) body.Free();
  body.Clear();
  method = 0;
  http_minor = 1;
  keep_alive = true;
  wire_byte_count = 0;
  is_packed = false;
  charged_byte_count = 0;
  charge = {};
  operation = {};
  metrics = nullptr;
  answer = {};
  coding = Coding::kIdentity;
  content_type = ContentType::kNone;
  extra_headers.clear();
  ClearAndShrink(response_head);
  ready = false;
  unwanted.store(false);
  connection = nullptr;
  next = nullptr;
  queue_next = nullptr;
}

std::unique_ptr<Exchange> ExchangePool::Take() {
  if (spare_.empty()) return std::make_unique<Exchange>();
  std::unique_ptr<Exchange> exchange = std::move(spare_.back());
  spare_.pop_back();
  return exchange;
}

void ExchangePool::Give(std::unique_ptr<Exchange> exchange) {
  if (spare_.size() >= kSpareExchangesMax) return;
  // Rare large headers are not worth keeping.
  if (exchange->head.byte_count() > kSpareBytesMax) return;
  exchange->Recycle();
  spare_.push_back(std::move(exchange));
}

void ExchangeList::PushBack(Exchange* exchange) {
  exchange->next = nullptr;
  (last_ != nullptr ? last_->next : first_) = exchange;
  last_ = exchange;
}

Exchange* ExchangeList::PopFront() {
  Exchange* exchange = first_;
  first_ = exchange->next;
  if (first_ == nullptr) last_ = nullptr;
  exchange->next = nullptr;
  return exchange;
}

}  // namespace stator::server
