#include "cli/model/model_file.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include "cli/operations.h"
#include "model/parse/parse.h"
#include "stator/client.h"

namespace stator::cli {

void Complain(std::string_view text) {
  const std::string line = "stator: " + std::string(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void ComplainOf(const std::string& path, const std::vector<model::Problem>& problems) {
  for (const model::Problem& problem : problems) {
    const std::string line = model::ProblemText(path, problem) + "\n";
    std::fputs(line.c_str(), stderr);
  }
}

std::optional<model::Model> LoadModelOrComplain(const std::string& path) {
  std::expected<model::Model, std::vector<model::Problem>> loaded = model::LoadModel(path);
  if (loaded) return *std::move(loaded);
  ComplainOf(path, loaded.error());
  return std::nullopt;
}

std::expected<std::string, std::string> ReadFile(const std::string& path, std::size_t bytes_max) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::unexpected("cannot read " + path);
  std::string text(bytes_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return std::unexpected("cannot read " + path);
  if (text.size() > bytes_max) return std::unexpected(path + " is too large");
  return text;
}

bool WriteFileOrComplain(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return true;
  Complain("cannot write " + path);
  return false;
}

void AddTableOptions(Subcommand& command, LiveTables& tables) {
  DataSource& source = tables.source;
  source.max_attempts = ClientOptions{}.max_attempts;
  const Option endpoint =
      command
          .Add("--endpoint", source.endpoint,
               "A server, e.g. http://127.0.0.1:8000, or `aws` for DynamoDB itself")
          .Type("URL");
  command.Add("--data", source.directory, "A directory that no server has open")
      .Type("DIR")
      .Excludes(endpoint);
  command.Add("--region", source.region, "Region of the endpoint").Type("NAME");
  command.Add("--profile", source.profile, "Profile of ~/.aws/credentials").Type("NAME");
  command.Add("--prefix", tables.name_prefix, "Put before the name of every table").Type("TEXT");
}

std::unique_ptr<Endpoint> OpenTablesOrComplain(const LiveTables& tables) {
  if (tables.source.endpoint.empty() && tables.source.directory.empty()) {
    Complain("say on which tables: --endpoint URL, or --data DIR");
    return nullptr;
  }
  auto opened = OpenSource(tables.source);
  if (opened) return *std::move(opened);
  Complain(opened.error());
  return nullptr;
}

}  // namespace stator::cli
