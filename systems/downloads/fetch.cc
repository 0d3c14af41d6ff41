#include "systems/downloads/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "systems/program/http.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr std::int64_t kBlock = kAesIvBytes;
// A job that was claimed longer ago is put back, and its address has expired.
constexpr std::chrono::minutes kFetchTimeMax{30};
constexpr int kTransfersMax = 1000;
constexpr int kRedirectsMax = 3;

std::unexpected<FetchError> Hopeless(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = true});
}
std::unexpected<FetchError> Failed(std::string message) {
  return std::unexpected(FetchError{.message = std::move(message), .hopeless = false});
}

// Decrypts what arrives and writes it, piece by piece: memory does not grow with the file.
//
// In CBC a block is decrypted with the encrypted block before it. So a transfer goes on one block
// before the end of what is there, and what comes first is not decrypted but used for the next.
class Pipe {
 public:
  Pipe(const SourceFile& file, std::string_view key, std::string_view iv, PartFile& part,
       const FetchOptions& options)
      : file_(file), key_(key), iv_(iv), part_(part), options_(options) {}

  // Takes up what is there of the file.
  Fallible<void> TakeUp() {
    const std::int64_t whole = part_.size_bytes() / kBlock * kBlock;
    TRY_VOID(part_.Truncate(whole <= file_.size_bytes ? whole : 0));
    TRY_VOID(part_.AddTo(*sum_));
    return {};
  }
  // Where the next transfer begins, in the encrypted file.
  std::int64_t offset() const { return std::max<std::int64_t>(part_.size_bytes() - kBlock, 0); }

  // The steps of a transfer. False: there is a problem.
  bool Begin(const HttpReply& head, std::int64_t offset);
  bool Take(std::string_view encrypted);
  bool Finish() {
    plain_.clear();
    if (!decryptor_ || !decryptor_->Finish(plain_)) return Stop("the file cannot be decrypted");
    return Write();
  }
  bool StartOver() {
    sum_.emplace();
    const auto emptied = part_.Truncate(0);
    return emptied || Stop(emptied.error());
  }

  bool is_whole() const { return arrived_ == EncryptedBytes(file_.size_bytes); }
  std::int64_t size_bytes() const { return part_.size_bytes(); }
  std::string Checksum() { return Hex(sum_->Finish()); }
  // What was received is of no use.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  bool HasRightLength(const HttpReply& head, std::int64_t wanted);
  bool Write() {
    if (part_.size_bytes() + static_cast<std::int64_t>(plain_.size()) > file_.size_bytes) {
      return Stop("the file is longer than the manifest says");
    }
    sum_->Add(plain_);
    const auto written = part_.Append(plain_);
    if (written && options_.on_bytes) options_.on_bytes(part_.size_bytes());
    return written || Stop(written.error());
  }
  bool Stop(std::string why) {
    problem_ = std::move(why);
    return false;
  }

  const SourceFile& file_;
  const std::string key_;
  const std::string iv_;
  PartFile& part_;
  const FetchOptions& options_;
  std::optional<Sha256> sum_{std::in_place};  // of what is in the part
  std::optional<std::string> problem_;

  // Of the transfer under way.
  std::optional<Decryptor> decryptor_;
  std::string chain_;         // the block before, as far as it has come
  std::int64_t arrived_ = 0;  // where the transfer is in the encrypted file
  std::string plain_;
};

bool Pipe::Begin(const HttpReply& head, std::int64_t offset) {
  decryptor_.reset();
  chain_.clear();
  arrived_ = offset;
  if (head.status == 206) {
    const auto range = ContentRange(head);
    if (!range || range->first != offset ||
        (range->total && *range->total != EncryptedBytes(file_.size_bytes))) {
      return Stop(
          fmt::format("the source sends another part of the file than the one asked for: {}",
                      head.Header("content-range")));
    }
  } else if (head.status == 200) {
    // It may send all of it when it is asked for the rest.
    if (offset > 0 && !StartOver()) return false;
    arrived_ = 0;
  } else {
    return true;
  }
  if (part_.size_bytes() == 0) decryptor_.emplace(key_, iv_);
  return HasRightLength(head, EncryptedBytes(file_.size_bytes) - arrived_);
}

bool Pipe::HasRightLength(const HttpReply& head, std::int64_t wanted) {
  const std::string text = head.Header("content-length");
  if (text.empty() || text == std::to_string(wanted)) return true;
  return Stop(fmt::format("the source sends {} bytes, and the manifest makes it {}",
                          text.substr(0, 20), wanted));
}

bool Pipe::Take(std::string_view encrypted) {
  arrived_ += static_cast<std::int64_t>(encrypted.size());
  if (arrived_ > EncryptedBytes(file_.size_bytes)) {
    return Stop("the file is longer than the manifest says");
  }
  if (!decryptor_) {
    const std::size_t missing = kAesIvBytes - chain_.size();
    chain_ += encrypted.substr(0, missing);
    encrypted.remove_prefix(std::min(missing, encrypted.size()));
    if (chain_.size() < kAesIvBytes) return true;
    decryptor_.emplace(key_, chain_);
  }
  plain_.clear();
  if (!decryptor_->Add(encrypted, plain_)) return Stop("the file cannot be decrypted");
  return plain_.empty() || Write();
}

// What came of one transfer: nothing if the file is whole.
struct Trouble {
  std::string message;
  bool may_pass = false;  // the next transfer may work
};

std::optional<Trouble> Transfer(const SourceFile& file, Pipe& pipe, const FetchOptions& options,
                                std::chrono::milliseconds time_left) {
  const std::int64_t offset = pipe.offset();
  const HttpCall call{.url = file.url,
                      .timeout = time_left,
                      .bytes_max = std::numeric_limits<std::size_t>::max(),
                      .ca_file = options.ca_file,
                      .silence_max = options.silence_max,
                      .redirects_max = kRedirectsMax,
                      .offset = offset};
  const auto reply =
      HttpReceive(call, {.begin = [&](const HttpReply& head) { return pipe.Begin(head, offset); },
                         .take = [&](std::string_view piece) { return pipe.Take(piece); }});
  if (pipe.problem()) return Trouble{*pipe.problem()};
  if (!reply) return Trouble{reply.error().message, !reply.error().is_lasting};
  if (reply->status == 416 && offset > 0) {
    if (!pipe.StartOver()) return Trouble{*pipe.problem()};
    return Trouble{"the source does not have the part of the file that is missing", true};
  }
  if (reply->status != 200 && reply->status != 206) {
    return Trouble{fmt::format("the source answers {}: {}", reply->status, reply->body),
                   IsTransient(reply->status)};
  }
  if (!pipe.is_whole()) return Trouble{"the file ends before its end", true};
  return std::nullopt;
}

// Transfers until the file is whole. Attempts count while not a single byte arrives.
std::optional<Trouble> TransferAll(const SourceFile& file, Pipe& pipe,
                                   const FetchOptions& options) {
  const auto deadline = std::chrono::steady_clock::now() + kFetchTimeMax;
  Backoff backoff(options.retry);
  for (int transfers = 1;; ++transfers) {
    const std::int64_t before = pipe.size_bytes();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const auto trouble = Transfer(file, pipe, options, left);
    if (!trouble || !trouble->may_pass) return trouble;
    if (pipe.size_bytes() > before) backoff.Reset();
    if (transfers >= kTransfersMax || std::chrono::steady_clock::now() >= deadline ||
        !backoff.Again()) {
      return trouble;
    }
  }
}

// A job is what its table says, and anybody may have written that.
std::string ProblemOfJob(const SourceFile& file, const FetchOptions& options) {
  if (!IsEntityName(file.name.entity) || !IsDate(file.name.date) || !IsExtension(file.extension)) {
    return "the job's Entity, DownloadDate and Extension do not make the name of a file";
  }
  if (file.size_bytes < 0 || file.size_bytes > options.bytes_max) {
    return fmt::format("the file has {} bytes, and may have {}; --max-file sets that",
                       file.size_bytes, options.bytes_max);
  }
  return {};
}

}  // namespace

std::expected<Fetched, FetchError> Fetch(const SourceFile& file, std::string_view claim,
                                         const KeyPair& keys, const OutputFolder& output,
                                         const FetchOptions& options) {
  if (std::string problem = ProblemOfJob(file, options); !problem.empty()) {
    return Hopeless(std::move(problem));
  }
  if (!IsSha256(file.checksum)) {
    return Failed("the job has no checksum of its file; requeue asks the source for it");
  }
  // An earlier claim may have published the file and died before it could say so.
  if (output.Has(file)) return Fetched::kWasThere;
  const auto wrapped = FromBase64(file.wrapped_key);
  const auto key = wrapped ? keys.Unwrap(*wrapped) : std::nullopt;
  if (!key || key->size() != kAesKeyBytes) return Hopeless("the AES key cannot be unwrapped");
  const auto iv = FromBase64(file.iv);
  if (!iv || iv->size() != kAesIvBytes) return Hopeless("the IV is not one of AES");
  auto part = output.Begin(file, claim);
  if (!part) return Failed(part.error());
  Pipe pipe(file, *key, *iv, *part, options);
  if (const auto taken = pipe.TakeUp(); !taken) return Failed(taken.error());
  if (const auto trouble = TransferAll(file, pipe, options)) {
    if (pipe.problem()) part->Discard();
    return Failed(trouble->message);
  }
  // What is wrong with a whole file is wrong with all of it.
  if (!pipe.Finish()) {
    part->Discard();
    return Failed(*pipe.problem());
  }
  if (pipe.size_bytes() != file.size_bytes || pipe.Checksum() != file.checksum) {
    part->Discard();
    return Failed("the file's checksum is not that of the manifest");
  }
  const auto published = output.Publish(*std::move(part), file);
  if (!published) return Failed(published.error());
  return *published == OutputFolder::Published::kNew ? Fetched::kDownloaded : Fetched::kWasThere;
}

}  // namespace stator::systems::downloads
