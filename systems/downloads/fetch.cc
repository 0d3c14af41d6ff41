#include "systems/downloads/fetch.h"

#include <fmt/format.h>

#include <optional>

#include "systems/downloads/cipher.h"
#include "systems/downloads/digest.h"
#include "systems/downloads/http.h"

namespace stator::systems::downloads {
namespace {

std::unexpected<FetchError> Hopeless(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = true});
}
std::unexpected<FetchError> Failed(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = false});
}

// Decrypts what comes and writes it, piece by piece: memory does not grow with the file.
class Pipe {
 public:
  Pipe(const SourceFile& file, std::string_view key, std::string_view iv, PartFile& part)
      : size_max_(file.size_bytes), decryptor_(key, iv), part_(part) {}

  bool Take(std::string_view encrypted) {
    plain_.clear();
    if (!decryptor_.Add(encrypted, plain_)) return Stop("the file cannot be decrypted");
    return Write();
  }
  bool Finish() {
    plain_.clear();
    if (!decryptor_.Finish(plain_)) return Stop("the file cannot be decrypted");
    return Write();
  }
  std::string Checksum() { return Hex(sum_.Finish()); }
  std::int64_t size_bytes() const { return size_; }
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  bool Write() {
    size_ += static_cast<std::int64_t>(plain_.size());
    if (size_ > size_max_) return Stop("the file is longer than the manifest says");
    sum_.Add(plain_);
    const auto written = part_.Append(plain_);
    return written || Stop(written.error());
  }
  bool Stop(std::string why) {
    problem_ = std::move(why);
    return false;
  }

  const std::int64_t size_max_;
  Decryptor decryptor_;
  PartFile& part_;
  Sha256 sum_;
  std::int64_t size_ = 0;
  std::string plain_;
  std::optional<std::string> problem_;
};

}  // namespace

std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output) {
  // A claim before this one may have published the file and died before it could say so.
  if (output.Has(file.name, file.checksum)) return Fetched::kWasThere;
  const auto wrapped = FromBase64(file.wrapped_key);
  const auto key = wrapped ? keys.Unwrap(*wrapped) : std::nullopt;
  if (!key || key->size() != kAesKeyBytes) return Hopeless("the AES key cannot be unwrapped");
  const auto iv = FromBase64(file.iv);
  if (!iv || iv->size() != kAesIvBytes) return Hopeless("the IV is not one of AES");
  auto part = output.Begin(file.name, claim);
  if (!part) return Failed(part.error());
  Pipe pipe(file, *key, *iv, *part);
  const auto reply = HttpGet(file.url, [&](std::string_view piece) { return pipe.Take(piece); });
  if (pipe.problem()) return Failed(*pipe.problem());
  if (!reply) return Failed(reply.error());
  if (reply->status != 200) {
    return Failed(fmt::format("the source answers {}: {}", reply->status, reply->refusal));
  }
  if (!pipe.Finish()) return Failed(*pipe.problem());
  if (pipe.size_bytes() != file.size_bytes || pipe.Checksum() != file.checksum) {
    return Failed("the file's checksum is not that of the manifest");
  }
  const auto published = output.Publish(*std::move(part), file.name, file.checksum);
  if (!published) return Failed(published.error());
  return *published == OutputFolder::Published::kNew ? Fetched::kDownloaded : Fetched::kWasThere;
}

}  // namespace stator::systems::downloads
