# Third-party libraries, all from Debian 12 packages (./dev installs them).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(simdjson REQUIRED)
find_package(RocksDB REQUIRED)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(CURL 7.85 REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(UV REQUIRED IMPORTED_TARGET libuv)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
find_package(prometheus-cpp CONFIG REQUIRED)

# Graphviz lays out diagrams. Its plugin for dot is linked: plugins that Graphviz loads by itself would bring
# pango and the fonts of the machine.
pkg_check_modules(GRAPHVIZ REQUIRED IMPORTED_TARGET libgvc libcgraph)
find_library(GRAPHVIZ_DOT_LAYOUT gvplugin_dot_layout PATH_SUFFIXES graphviz REQUIRED)

# The program's allocator: a request is allocated on one thread and freed on another, which glibc's does
# not like. The library leaves the choice to the program that embeds it.
find_library(JEMALLOC_LIBRARY jemalloc REQUIRED)

# llhttp ships as C sources in the package node-llhttp.
find_path(LLHTTP_INCLUDE_DIR llhttp.h PATHS /usr/share/include/llhttp REQUIRED)
find_path(LLHTTP_SOURCE_DIR llhttp.c PATHS /usr/share/llhttp REQUIRED)
add_library(llhttp STATIC
  ${LLHTTP_SOURCE_DIR}/llhttp.c ${LLHTTP_SOURCE_DIR}/api.c ${LLHTTP_SOURCE_DIR}/http.c)
# Otherwise it accepts any two bytes after a chunk, and blanks in names of headers.
target_compile_definitions(llhttp PUBLIC LLHTTP_STRICT_MODE=1)
target_include_directories(llhttp SYSTEM PUBLIC $<BUILD_INTERFACE:${LLHTTP_INCLUDE_DIR}>)

# What each layer links beyond the layers below it.
set(STATOR_LINK_base fmt::fmt spdlog::spdlog Threads::Threads)
set(STATOR_LINK_value simdjson::simdjson PkgConfig::XXHASH)
set(STATOR_LINK_transfer ZLIB::ZLIB PkgConfig::ZSTD OpenSSL::Crypto)
set(STATOR_LINK_storage RocksDB::rocksdb-shared PkgConfig::PQ PkgConfig::XXHASH)
set(STATOR_LINK_auth OpenSSL::Crypto)
set(STATOR_LINK_server PkgConfig::UV llhttp PkgConfig::DEFLATE prometheus-cpp::core)
set(STATOR_LINK_http CURL::libcurl OpenSSL::Crypto)
set(STATOR_LINK_client PkgConfig::DEFLATE)
set(STATOR_LINK_bench PkgConfig::UV)
set(STATOR_LINK_model yaml-cpp)
set(STATOR_LINK_drawing PkgConfig::GRAPHVIZ ${GRAPHVIZ_DOT_LAYOUT})
set(STATOR_LINK_entity PkgConfig::UTF8PROC)
set(STATOR_LINK_cli CLI11::CLI11)

# What the tests of a layer link beyond the layer.
set(STATOR_TEST_LINK_http OpenSSL::SSL)
