#include "bench/call.h"

#include <ctime>
#include <optional>

#include "bench/client_loop.h"

namespace stator::bench {
namespace {

constexpr std::uint64_t kPatienceNs = 30'000'000'000;

class OneRequest final : public RequestSource {
 public:
  explicit OneRequest(std::string_view bytes) : bytes_(bytes) {}

  Supply Next(Slot&, std::string_view& bytes) override {
    if (was_sent_) return Supply::kNever;
    was_sent_ = true;
    bytes = bytes_;
    return Supply::kRequest;
  }
  bool WantsBodies() const override { return true; }
  bool GivesUp() const override { return is_over_; }
  void OnAnswer(Slot&, int status, std::string_view body) override {
    is_over_ = true;
    if (status != 0) answer = {status, std::string(body)};
  }

  std::optional<CallAnswer> answer;

 private:
  std::string_view bytes_;
  bool was_sent_ = false;
  bool is_over_ = false;
};

}  // namespace

std::expected<CallAnswer, std::string> Call(const sockaddr_storage& address,
                                            RequestFactory& factory, std::string_view operation,
                                            std::string_view body) {
  Request request = factory.Make(operation, body);
  factory.Sign(request, std::time(nullptr));
  OneRequest source(request.bytes());
  LiveCounts live;
  const LoopPlan plan{.address = address, .connections = 1, .end_ns = NowNs() + kPatienceNs};
  const Tally tally = ClientLoop(plan, source, live).Run();
  if (source.answer) return *std::move(source.answer);
  const std::string reason = tally.errors.empty() ? "no answer" : tally.errors.begin()->first;
  return std::unexpected(std::string(operation) + " failed: " + reason);
}

}  // namespace stator::bench
