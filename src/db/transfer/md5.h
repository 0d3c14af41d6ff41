// MD5: the checksum of S3 and of the manifests of exports.
#ifndef STATOR_TRANSFER_MD5_H_
#define STATOR_TRANSFER_MD5_H_

#include <memory>
#include <string>
#include <string_view>

#include "transfer/byte_stream.h"

namespace stator::transfer {

class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;
  void Add(std::string_view bytes);
  // The 16 bytes of the digest. Call it once, at the end.
  std::string Digest();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string Md5Digest(std::string_view bytes);

// Base64 of a digest, as the manifests have it.
std::string ChecksumText(std::string_view digest);

// Passes bytes on to a sink and takes their digest.
class Md5Sink final : public ByteSink {
 public:
  // REQUIRES: `sink` outlives this.
  explicit Md5Sink(ByteSink& sink) : sink_(sink) {}
  TransferResult<void> Write(std::string_view bytes) override {
    md5_.Add(bytes);
    return sink_.Write(bytes);
  }
  std::string Digest() { return md5_.Digest(); }

 private:
  ByteSink& sink_;
  Md5 md5_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_MD5_H_
