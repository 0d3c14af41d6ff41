#include "systems/downloads/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "systems/downloads/manifest.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::string_view kFiles = "/files/";

HttpAnswer Refuse(int status, std::string message) {
  return {.status = status, .type = "text/plain", .body = std::move(message)};
}

std::string Parameter(const HttpRequest& request, const std::string& name) {
  const auto it = request.parameters.find(name);
  return it == request.parameters.end() ? std::string() : it->second;
}

std::string SignatureOf(std::string_view secret, std::string_view path, std::string_view expires) {
  return Hex(HmacSha256(secret, fmt::format("GET\n{}\n{}", path, expires)));
}

}  // namespace

std::string SignPath(std::string_view secret, std::string_view path, TimeMs now) {
  const std::string expires = std::to_string(SecondsOf(now + kUrlLife));
  return fmt::format("{}?expires={}&signature={}", UrlEscaped(path), expires,
                     SignatureOf(secret, path, expires));
}

Permission JudgePath(std::string_view secret, std::string_view path, const std::string& expires,
                     const std::string& signature, TimeMs now) {
  if (!EqualSecrets(SignatureOf(secret, path, expires), signature)) return Permission::kForged;
  std::int64_t until = 0;
  std::from_chars(expires.data(), expires.data() + expires.size(), until);
  return SecondsOf(now) < until ? Permission::kGranted : Permission::kExpired;
}

std::vector<std::string> DefaultEntities(std::size_t count) {
  std::vector<std::string> names = {"accounts",  "transactions", "customers", "cards",
                                    "loans",     "branches",     "rates",     "payments",
                                    "merchants", "disputes"};
  for (std::size_t i = names.size(); i < count; ++i) names.push_back(fmt::format("extra{:03}", i));
  names.resize(count);
  return names;
}

Fallible<std::unique_ptr<Source>> Source::Start(SourceOptions options, KeyPair keys,
                                                const Clock& clock) {
  for (const std::string& entity : options.entities) {
    if (!IsEntityName(entity)) return std::unexpected(entity + " cannot be the name of a file");
  }
  const int port = options.port;
  std::unique_ptr<PublishedFolder> folder;
  if (!options.folder.empty()) {
    TRY(folder, PublishedFolder::Open(options.folder));
  }
  std::unique_ptr<Source> source(new Source(std::move(options), std::move(keys), clock));
  source->folder_ = std::move(folder);
  auto server = HttpServer::Start(
      port, [raw = source.get()](const HttpRequest& request) { return raw->Answer(request); });
  if (!server) return std::unexpected(server.error());
  source->server_ = *std::move(server);
  source->ready_ = true;
  return source;
}

Source::Source(SourceOptions options, KeyPair keys, const Clock& clock)
    : options_([&] {
        if (options.entities.empty()) options.entities = DefaultEntities();
        return std::move(options);
      }()),
      keys_(std::move(keys)),
      clock_(clock) {}

std::vector<std::string> Source::LeftOut() const {
  return folder_ ? folder_->LeftOut() : std::vector<std::string>();
}

std::string Source::Secret(std::string_view purpose, const PublishedFile& file) const {
  // With the checksum: the same key and IV for two versions of a file would tell how much of
  // it has not changed.
  return HmacSha256(options_.secret,
                    fmt::format("{}\n{}\n{}", purpose, file.name.id(), file.checksum));
}

std::optional<PublishedFile> Source::Find(const FileName& name) const {
  if (folder_) return folder_->Find(name);
  if (std::ranges::find(options_.entities, name.entity) == options_.entities.end()) {
    return std::nullopt;
  }
  return MadeUp(name);
}

PublishedFile Source::MadeUp(const FileName& name) const {
  const std::string plain = Content(name);
  return {.name = name,
          .extension = "csv",
          .path = {},
          .size_bytes = static_cast<std::int64_t>(plain.size()),
          .checksum = Hex(Sha256Of(plain))};
}

std::string Source::Content(const FileName& name) const {
  std::string text = "id,entity,date,value\n";
  const std::string seed = Hex(Secret("content", {.name = name}));
  // Sizes differ from file to file, as they do.
  const auto wanted =
      static_cast<std::size_t>(options_.file_bytes) / 2 * (2 + name.entity.size() % 3) / 2;
  for (int row = 0; text.size() < wanted; ++row) {
    text += fmt::format("{},{},{},{}\n", row, name.entity, name.date,
                        seed.substr(static_cast<std::size_t>(row) % 48, 16));
  }
  return text;
}

SourceFile Source::Describe(const PublishedFile& file) const {
  std::string wrapped = keys_.Wrap(KeyOfFile(file));
  if (FaultOf(file.name.entity) == Fault::kWrongKey) wrapped[wrapped.size() / 2] ^= 1;
  return {.name = file.name,
          .extension = file.extension,
          .url = url() + SignPath(options_.secret, fmt::format("{}{}", kFiles, file.name.id()),
                                  clock_.Now()),
          .wrapped_key = Base64(wrapped),
          .iv = Base64(IvOfFile(file)),
          .checksum = file.checksum,
          .size_bytes = file.size_bytes};
}

HttpAnswer Source::Answer(const HttpRequest& request) {
  if (!ready_) return Refuse(503, "not yet");
  if (request.path == "/manifest") return AnswerManifest(request);
  if (request.path == "/link") return AnswerLink(request);
  if (request.path == "/stats") return AnswerStats();
  if (request.path.starts_with(kFiles)) return AnswerFile(request);
  return Refuse(404, "ask for /manifest?date=D or /link?file=F");
}

HttpAnswer Source::AnswerManifest(const HttpRequest& request) const {
  const std::string date = Parameter(request, "date");
  if (!IsDate(date)) return Refuse(400, "a manifest is that of a day: ?date=2026-02-28");
  std::vector<SourceFile> files;
  if (folder_) {
    for (const PublishedFile& file : folder_->FilesOf(date)) files.push_back(Describe(file));
  } else {
    for (const std::string& entity : options_.entities) {
      files.push_back(Describe(MadeUp({entity, date})));
    }
  }
  return {.body = ManifestJson(date, files)};
}

HttpAnswer Source::AnswerLink(const HttpRequest& request) const {
  const auto name = ParseFileName(Parameter(request, "file"));
  const auto file = name ? Find(*name) : std::nullopt;
  if (!file) return Refuse(404, "there is no such file");
  return {.body = FileJson(Describe(*file))};
}

HttpAnswer Source::AnswerFile(const HttpRequest& request) {
  switch (JudgePath(options_.secret, request.path, Parameter(request, "expires"),
                    Parameter(request, "signature"), clock_.Now())) {
    case Permission::kForged:
      return Refuse(403, "the signature is wrong");
    case Permission::kExpired:
      return Refuse(403, "the address has expired");
    case Permission::kGranted:
      break;
  }
  const auto name = ParseFileName(std::string_view(request.path).substr(kFiles.size()));
  const auto file = name ? Find(*name) : std::nullopt;
  if (!file) return Refuse(404, "there is no such file");
  const Fault fault = FaultOf(name->entity);
  if (fault == Fault::kGone) return Refuse(404, "the file is gone");
  if (fault == Fault::kBusy) return Refuse(503, "come back later");
  std::function<void(const FileName&)> callback;
  {
    const std::scoped_lock lock(mutex_);
    ++downloads_[*name];
    callback = on_download_;
  }
  if (callback) callback(*name);
  HttpAnswer answer = Send(*file);
  if (fault == Fault::kCorrupt) answer.body[answer.body.size() / 2] ^= 1;
  return answer;
}

HttpAnswer Source::Send(const PublishedFile& file) const {
  HttpAnswer answer{.type = "application/octet-stream",
                    .body = {},
                    .bytes_per_second = options_.bytes_per_second};
  if (!folder_) {
    answer.body = Encrypt(KeyOfFile(file), IvOfFile(file), Content(file.name));
    return answer;
  }
  auto opened = EncryptedFile::Open(file, KeyOfFile(file), IvOfFile(file));
  if (!opened) return Refuse(404, opened.error());
  answer.content_bytes = EncryptedBytes(file.size_bytes);
  answer.content = [content = std::shared_ptr<EncryptedFile>(*std::move(opened))](
                       std::int64_t offset, std::size_t count) {
    return content->Read(offset, count);
  };
  return answer;
}

HttpAnswer Source::AnswerStats() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> counts;
  for (const auto& [name, count] : downloads_) {
    counts.push_back(fmt::format("{}: {}", JsonText(name.id()), count));
  }
  return {.body = fmt::format("{{\"downloads\": {{{}}}}}\n", fmt::join(counts, ", "))};
}

Fault Source::FaultOf(const std::string& entity) const {
  const std::scoped_lock lock(mutex_);
  const auto it = faults_.find(entity);
  return it == faults_.end() ? Fault::kNone : it->second;
}

void Source::SetFault(const std::string& entity, Fault fault) {
  const std::scoped_lock lock(mutex_);
  faults_[entity] = fault;
}

void Source::OnDownload(std::function<void(const FileName&)> callback) {
  const std::scoped_lock lock(mutex_);
  on_download_ = std::move(callback);
}

std::int64_t Source::Downloads(const FileName& name) const {
  const std::scoped_lock lock(mutex_);
  const auto it = downloads_.find(name);
  return it == downloads_.end() ? 0 : it->second;
}

}  // namespace stator::systems::downloads
