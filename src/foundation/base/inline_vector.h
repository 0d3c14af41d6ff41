// A vector whose first few elements need no allocation.
#ifndef STATOR_BASE_INLINE_VECTOR_H_
#define STATOR_BASE_INLINE_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace stator {

// A part of std::vector's interface. Moving the vector moves elements that are stored inline, so
// references to them do not survive a move.
template <class T, std::size_t kInline>
class InlineVector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineVector() = default;
  explicit InlineVector(std::size_t count) {
    reserve(count);
    std::uninitialized_value_construct_n(data(), count);
    size_ = static_cast<std::uint32_t>(count);
  }
  InlineVector(std::initializer_list<T> elements)
      : InlineVector(elements.begin(), elements.end()) {}
  template <std::forward_iterator Iterator>
  InlineVector(Iterator first, Iterator last) {
    reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) push_back(*first);
  }
  InlineVector(const InlineVector& other) : InlineVector(other.begin(), other.end()) {}
  InlineVector(InlineVector&& other) noexcept { TakeFrom(other); }
  InlineVector& operator=(const InlineVector& other) {
    *this = InlineVector(other);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this == &other) return *this;
    Free();
    TakeFrom(other);
    return *this;
  }
  ~InlineVector() {
    // Most vectors that are destroyed were moved from.
    if (size_ != 0 || capacity_ != kInline) Free();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return capacity_ == kInline ? reinterpret_cast<T*>(inline_) : heap_; }
  const T* data() const { return const_cast<InlineVector*>(this)->data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }

  void reserve(std::size_t capacity) {
    if (capacity > capacity_) Grow(capacity);
  }
  // The arguments may not be parts of this vector.
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ == capacity_) Grow(std::size_t{2} * capacity_);
    return *std::construct_at(data() + size_++, std::forward<Arguments>(arguments)...);
  }
  void push_back(T element) { emplace_back(std::move(element)); }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }

 private:
  void Grow(std::size_t capacity) {
    T* grown = std::allocator<T>().allocate(capacity);
    std::uninitialized_move(begin(), end(), grown);
    const std::uint32_t size = size_;
    Free();
    heap_ = grown;
    size_ = size;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  // REQUIRES: this vector owns nothing. Leaves `other` empty.
  void TakeFrom(InlineVector& other) {
    if (other.capacity_ == kInline) {
      std::uninitialized_move(other.begin(), other.end(), reinterpret_cast<T*>(inline_));
      capacity_ = kInline;
      size_ = other.size_;
      other.Free();
    } else {
      heap_ = std::exchange(other.heap_, nullptr);
      capacity_ = std::exchange(other.capacity_, std::uint32_t{kInline});
      size_ = std::exchange(other.size_, 0);
    }
  }
  void Free() {
    std::destroy(begin(), end());
    if (capacity_ != kInline) std::allocator<T>().deallocate(heap_, capacity_);
    capacity_ = kInline;
    size_ = 0;
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInline;
  union {
    T* heap_;
    alignas(T) std::byte inline_[kInline * sizeof(T)];
  };
};

}  // namespace stator

#endif  // STATOR_BASE_INLINE_VECTOR_H_
