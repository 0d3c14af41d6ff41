// The constant floor: Stator's HTTP server with the same answer to everything, as long as Stator's
// answer to GetItem. What Stator takes beyond it is the database.
#include <string>

#include "arguments.h"
#include "bench/request_bodies.h"
#include "floors/floor_data.h"
#include "floors/floor_server.h"

namespace stator::bench {
namespace {

class ConstantHandler final : public FloorHandler {
 public:
  explicit ConstantHandler(std::string body) : body_(std::move(body)) {}

  void Handle(std::string_view, std::string_view, AnswerCallback done,
              const std::atomic<bool>&) override {
    done({.http_status = 200, .body = body_});
  }

 private:
  const std::string body_;
};

int Main(int argc, char** argv) {
  server::ServerOptions options;
  options.port = 0;
  ItemShape shape;
  std::size_t body_bytes = 0;  // 0: as GetItem answers for such an item
  Arguments arguments(argc, argv);
  arguments.Take("--port", options.port);
  arguments.Take("--threads", options.threads);
  arguments.Take("--item-bytes", shape.item_bytes);
  arguments.Take("--attributes", shape.attributes);
  arguments.Take("--body-bytes", body_bytes);
  arguments.Finish();
  return ServeFloor(options, [&] {
    std::string body = GetItemAnswer(shape);
    if (body_bytes > 0) body.resize(body_bytes, ' ');
    return std::make_unique<ConstantHandler>(std::move(body));
  });
}

}  // namespace
}  // namespace stator::bench

int main(int argc, char** argv) { return stator::bench::Main(argc, argv); }
