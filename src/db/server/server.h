// The HTTP server: DynamoDB's protocol in front of a RequestHandler.
#ifndef STATOR_SERVER_SERVER_H_
#define STATOR_SERVER_SERVER_H_

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "server/options.h"
#include "server/request_handler.h"

namespace stator::server {

class Server {
 public:
  // The server listens and answers when this returns. Fails with a message for people. The handler must live
  // until the server is gone. Ignores SIGPIPE in the whole process.
  static std::expected<std::unique_ptr<Server>, std::string> Start(ServerOptions options,
                                                                   RequestHandler& handler);
  // Stops and waits.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string url() const;
  std::size_t thread_count() const;

  // Any thread, any number of times: accepts nothing more, lets requests in flight finish within
  // options.stop_timeout, closes every connection.
  void RequestStop();
  // Returns when all of that has happened.
  void Wait();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_SERVER_H_
