#include "server/exchange.h"

#include <utility>

#include "server/limits.h"

namespace stator::server {
namespace {

void ClearAndShrink(std::string& text) {
  if (text.capacity() > kSpareBytesMax) {
    std::string().swap(text);
  } else {
    text.clear();
  }
}

}  // namespace

void Exchange::Recycle() {
  head.Clear();
  if (body.capacity() > kSpareBytesMax) body.Free();
  body.Clear();
  method = 0;
  http_minor = 1;
  keep_alive = true;
  wire_byte_count = 0;
  charged_byte_count = 0;
  operation = {};
  metrics = nullptr;
  answer = {};
  content_type = ContentType::kNone;
  extra_headers.clear();
  ClearAndShrink(response_head);
  ready = false;
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
