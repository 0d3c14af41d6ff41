// The RSA keys of the pipeline: the source wraps each file's AES key for the downloaders, who alone
// can unwrap it (OAEP with SHA-256).
#ifndef STATOR_SYSTEMS_DOWNLOADS_KEY_PAIR_H_
#define STATOR_SYSTEMS_DOWNLOADS_KEY_PAIR_H_

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace stator::systems::downloads {

// Thread-safe. A pair read from the public file can only wrap.
class KeyPair {
 public:
  static KeyPair Generate();
  // DIR/downloads.pem, and DIR/downloads.pub.pem beside it; made if they are not there.
  static std::expected<KeyPair, std::string> LoadOrMake(const std::string& directory);
  static std::expected<KeyPair, std::string> LoadPrivate(const std::string& directory);

  std::string Wrap(std::string_view secret) const;
  // nullopt: it was not wrapped for this pair.
  std::optional<std::string> Unwrap(std::string_view wrapped) const;

 private:
  struct Key;
  explicit KeyPair(std::shared_ptr<const Key> key) : key_(std::move(key)) {}
  std::shared_ptr<const Key> key_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_KEY_PAIR_H_
