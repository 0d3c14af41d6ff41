// Decides what a complete request gets: a fixed answer, an error, or the handler's answer.
#ifndef STATOR_SERVER_ROUTER_H_
#define STATOR_SERVER_ROUTER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "auth/authenticator.h"
#include "server/access_rules.h"
#include "server/admin.h"
#include "server/completion_queue.h"
#include "server/exchange.h"
#include "server/gzip.h"
#include "server/metrics.h"
#include "server/request_handler.h"
#include "value/json.h"

namespace stator::server {

// One for each loop; not thread-safe. All that it is given must outlive it.
class Router {
 public:
  struct Parts {
    RequestHandler& handler;
    const Authenticator& authenticator;
    bool admin_is_signed;               // paths under /_stator/ need a signature too
    const std::string& listening_host;  // ServerOptions::host
    AccessRules access;
    std::shared_ptr<CompletionQueue> queue;
    Gzip& gzip;
    LoopMetrics& metrics;
    std::function<std::string()> metrics_page;
  };
  explicit Router(Parts parts)
      : parts_(std::move(parts)), admin_(parts_.handler, parts_.listening_host) {}

  // The exchange comes back through the queue, at once or later.
  void Route(std::unique_ptr<Exchange> exchange);

  // The answer to a request whose head alone tells that it will not be carried out; nullopt: read on.
  std::optional<RequestHandler::Answer> RefuseHead(Exchange& exchange);
  // 503: there is no memory for the request now.
  RequestHandler::Answer BusyAnswer(Exchange& exchange) const;
  // Whether an answer of the operation may be much larger than the request.
  static bool MayAnswerAtLength(std::string_view operation);
  // True if nothing but time is lost with the answer: the request has changed nothing.
  bool MayBeDropped(const Exchange& exchange) const;

  // Counts an exchange that reached no operation.
  void CountAsUnknown(Exchange& exchange);

 private:
  void RouteAdmin(std::unique_ptr<Exchange> exchange);
  void RouteGet(std::unique_ptr<Exchange> exchange);
  void RoutePost(std::unique_ptr<Exchange> exchange);
  void RoutePreflight(std::unique_ptr<Exchange> exchange);

  // Unpacks a compressed body, or tells how to answer one that cannot be: too large, or not what its
  // header says.
  std::optional<RequestHandler::Answer> Unpack(Exchange& exchange);
  static SignedRequest SignedPart(Exchange& exchange);
  RequestHandler::Answer ForbiddenAnswer(Exchange& exchange, std::string message);
  Result<void> Authenticate(Exchange& exchange) const;
  // The checks before the operation's own, in DynamoDB's order. `allowed` says whether the operation
  // and its sender are known.
  std::optional<Error> Check(Exchange& exchange, const Result<void>& allowed);
  // What is wrong with the text outranks `error`.
  Error UnlessNotJson(Exchange& exchange, Error error);
  // Tells the browser that the page may read the answer.
  bool AllowOrigin(Exchange& exchange);

  void Answer(std::unique_ptr<Exchange> exchange, RequestHandler::Answer answer);
  void AnswerNotFound(std::unique_ptr<Exchange> exchange);

  Parts parts_;
  Admin admin_;
  JsonDocument document_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_ROUTER_H_
