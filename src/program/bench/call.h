// A single request, outside the load.
#ifndef STATOR_BENCH_CALL_H_
#define STATOR_BENCH_CALL_H_

#include <sys/socket.h>

#include <expected>
#include <string>
#include <string_view>

#include "bench/request.h"

namespace stator::bench {

struct CallAnswer {
  int status = 0;
  std::string body;
};

// Waits for the answer, or gives up with a text for people.
std::expected<CallAnswer, std::string> Call(const sockaddr_storage& address,
                                            RequestFactory& factory, std::string_view operation,
                                            std::string_view body);

}  // namespace stator::bench

#endif  // STATOR_BENCH_CALL_H_
