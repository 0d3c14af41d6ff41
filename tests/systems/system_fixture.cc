#include "tests/systems/system_fixture.h"

#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "server/request_handler.h"
#include "server/server.h"
#include "stator/client.h"
#include "stator/live.h"

namespace stator::testing {

struct SystemWorld::Served {
  explicit Served(Database& database) : handler(database) {
    server = *server::Server::Start({.port = 0, .threads = 2}, handler);
    client = *Client::Open({.endpoint = server->url()});
  }
  server::DatabaseHandler handler;
  std::unique_ptr<server::Server> server;
  std::unique_ptr<Client> client;
};

SystemWorld::SystemWorld(std::string_view model_text) {
  auto opened = Database::Open({.clock = *ClockSetting::Parse("fixed:2026-02-28T08:00:00Z")});
  database_ = *std::move(opened);
  if (std::getenv("STATOR_SYSTEMS_OVER_HTTP") != nullptr) {
    served_ = std::make_unique<Served>(*database_);
  }
  auto parsed = Model::Parse(model_text);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error());
  model_ = std::make_unique<Model>(*parsed);
  entities_ = MoreEntities();
  const auto created = entities_->CreateTables();
  EXPECT_TRUE(created) << (created ? "" : created.error().message);
}

SystemWorld::~SystemWorld() = default;

std::unique_ptr<Entities> SystemWorld::MoreEntities() {
  return std::make_unique<Entities>(endpoint(), *model_,
                                    EntityOptions{.clock = &database_->clock()});
}

Endpoint& SystemWorld::endpoint() {
  if (served_) return *served_->client;
  return *database_;
}

std::string SystemWorld::url() const { return served_ ? served_->server->url() : std::string(); }

std::string SystemWorld::Audit() {
  const auto report = AuditModel(endpoint(), *model_, {.clock = &database_->clock()});
  if (!report) return report.error().message();
  std::string text;
  for (const std::string& flaw : report->flaws) text += flaw + "\n";
  return text;
}

std::string Text(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return "(none)";
  return value->type() == Type::kN ? value->N() : std::string(value->S());
}

std::chrono::milliseconds StressTime() {
  const char* seconds = std::getenv("STATOR_STRESS_SECONDS");
  return std::chrono::milliseconds(seconds == nullptr ? 2000
                                                      : std::lround(std::atof(seconds) * 1000));
}

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

ProgramAnswer RunProgram(const std::string& command) {
  ProgramAnswer answer;
  FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) {
    answer.text.append(part.data(), got);
  }
  const int ended = ::pclose(pipe);
  if (WIFEXITED(ended)) answer.status = WEXITSTATUS(ended);
  return answer;
}

std::string ProgramTest::RunSystem(const std::string& arguments) {
  ProgramAnswer answer = RunProgram(std::string(STATOR_SYSTEM_PROGRAM) + " " + arguments);
  status_ = answer.status;
  return std::move(answer.text);
}

}  // namespace stator::testing
