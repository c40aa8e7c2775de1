#!/bin/sh
# Builds the engine for browsers: native/web/build.sh [out.wasm], and beside it network.wasm, which plays networks: whoever wants
# one loads it, the others need not. Needs Clang and LLD 16 or newer with wasi-libc, libc++,
# libc++abi and the builtins for wasm32; on Debian: apt-get install clang-19 lld-19 wasi-libc libc++-19-dev-wasm32
# libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32
set -eu
cd "$(dirname "$0")/../.."
out=${1:-web/engine/engine.wasm}
clang=${WASM_CXX:-$(command -v clang++-19 || command -v clang++ || true)}
[ -n "$clang" ] || { echo 'Clang is missing; what to install stands in native/web/build.sh' >&2; exit 1; }
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# Exceptions are those of WebAssembly itself. Only the solver is built for speed at any size.
compile() {
  "$clang" --target=wasm32-wasi -isystem /usr/include/wasm32-wasi/c++/v1 -std=gnu++20 -msimd128 -fwasm-exceptions \
    -ffunction-sections -fdata-sections -Wall -Wextra -Werror -Wno-psabi -Inative -c "native/web/$1.cpp" \
    -o "$objects/$1.o" $2
}
parts=${WASM_PARTS:-exceptions web_board web_agents web_solver_wide} # and the solver; to see what a part weighs
small='-Os -fno-unroll-loops -fno-vectorize -fno-slp-vectorize'
compile web_solver -O3 & solver=$!
for part in $parts; do compile "$part" "$small"; done
wait $solver
link() {
  target=$1
  shift
  "$clang" --target=wasm32-wasi -mexec-model=reactor -fuse-ld=lld "$@" \
    -Wl,--export=malloc,--export=free,--strip-all,--gc-sections -Wl,--max-memory=2147483648 -Wl,-z,stack-size=1048576 \
    -o "$target"
  chmod 644 "$target"
}
link "$out" "$objects"/*.o
compile web_network "$small"
link "$(dirname "$out")/network.wasm" "$objects/exceptions.o" "$objects/web_board.o" "$objects/web_network.o"
