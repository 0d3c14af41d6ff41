// What the connections of one loop share.
#ifndef STATOR_SERVER_LOOP_SERVICES_H_
#define STATOR_SERVER_LOOP_SERVICES_H_

#include <uv.h>

#include <functional>
#include <memory>

#include "server/deadlines.h"
#include "server/exchange.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/responder.h"
#include "server/router.h"

namespace stator::server {

class Connection;

struct LoopServices {
  uv_loop_t* loop;
  const ServerOptions& options;
  ExchangePool& pool;
  Deadlines& deadlines;
  Router& router;
  Responder& responder;
  LoopMetrics& metrics;
  char* read_buffer;  // kReadBufferBytes, for whoever reads at the moment
  std::function<void(Connection&)> on_closed;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_LOOP_SERVICES_H_
