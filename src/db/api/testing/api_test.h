// A fixture for tests of operations: an engine in memory with a clock that the test turns.
#ifndef STATOR_API_TESTING_API_TEST_H_
#define STATOR_API_TESTING_API_TEST_H_

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "api/operations.h"

namespace stator {

class ApiTest : public ::testing::Test {
 protected:
  ApiTest() {
    Result<std::unique_ptr<Engine>> opened = Engine::Open(
        OpenMemoryStore(), {.region = "us-east-1", .account = "000000000000", .clock = &clock_});
    EXPECT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
  }

  // The answer to a request, JSON to JSON, in the classic wording.
  template <class Request, class Response>
  Result<std::string> Call(const ApiOperation<Request, Response>& operation,
                           std::string_view body) {
    JsonDocument document;
    EXPECT_TRUE(document.Parse(body)) << body;
    std::promise<Result<std::string>> answer;
    operation.run_json(
        *engine_, Wording::kClassic, document.root(),
        [&answer](Result<std::string> result) { answer.set_value(std::move(result)); });
    return answer.get_future().get();
  }
  // The answer, or "Code: message".
  template <class Request, class Response>
  std::string Answer(const ApiOperation<Request, Response>& operation, std::string_view body) {
    Result<std::string> answer = Call(operation, body);
    if (answer) return *std::move(answer);
    return std::string(answer.error().name()) + ": " + answer.error().message();
  }

  // 2026-01-31 12:00:00 UTC
  ManualClock clock_{TimeMs(std::chrono::milliseconds(1'769'860'800'000))};
  std::unique_ptr<Engine> engine_;
};

}  // namespace stator

#endif  // STATOR_API_TESTING_API_TEST_H_
