// A test program is a list of CHECKs; the first that fails ends it. Programs take one argument, "short"
// or "long".
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (false)

inline bool is_long(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "long"; }
