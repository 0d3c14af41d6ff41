// Unpredictable bytes from the operating system.
#ifndef STATOR_BASE_RANDOM_H_
#define STATOR_BASE_RANDOM_H_

#include <cstddef>
#include <string>

namespace stator {

// Bytes that nobody can guess.
std::string RandomBytes(std::size_t count);

// A version 4 UUID: "f81d4fae-7dec-4d0a-a765-00a0c91e6bf6".
std::string RandomUuid();

}  // namespace stator

#endif  // STATOR_BASE_RANDOM_H_
