// C++ exceptions in WebAssembly: the runtime of Debian's libc++abi has none, because it is built without
// them.
//
// What a search needs of them is little: to throw and rethrow, and handlers that name the very type that was
// thrown or catch everything. A handler of a base class would not be found; nothing here has one. The tables
// that are read are those of the Itanium C++ ABI ("Exception Handling Tables"), as Clang writes them for
// wasm.
#include <cstdint>
#include <cstdlib>
#include <typeinfo>

namespace {

using Destroy = void* (*)(void*);  // in WebAssembly, destructors return their object

// What lies in front of a thrown object.
struct alignas(16) Thrown {
  const std::type_info* type;
  Destroy destroy;
  int handlers;        // that have it now
  bool is_on_its_way;  // thrown again: the handler that ends now must not take it along
};

// What compiled code and `_Unwind_CallPersonality` tell each other.
struct LandingPad {
  std::uint32_t index;
  const std::uint8_t* tables;
  std::uint32_t selector;
};

constexpr int kDeepest = 64;  // handlers inside handlers
Thrown* caught[kDeepest];
int depth = 0;

std::uint32_t read_unsigned(const std::uint8_t*& at) {
  std::uint32_t number = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return number;
  }
}

std::int32_t read_signed(const std::uint8_t*& at) {
  std::uint32_t number = 0;
  for (int shift = 0;;) {
    const std::uint8_t byte = *at++;
    number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    if (shift < 32 && byte & 0x40) number |= ~std::uint32_t{0} << shift;
    return static_cast<std::int32_t>(number);
  }
}

// Which handler of a chain takes what was thrown; 0: none.
std::uint32_t handler_for(const Thrown& thrown, const std::uint8_t* action, const std::uint8_t* types) {
  for (;;) {
    const std::int32_t number = read_signed(action);
    const std::uint8_t* from = action;
    const std::int32_t next = read_signed(action);
    if (number > 0) {
      const auto* wanted = reinterpret_cast<const std::type_info* const*>(types)[-number];
      if (!wanted || *wanted == *thrown.type) return static_cast<std::uint32_t>(number);
    }
    if (next == 0) return 0;
    action = from + next;
  }
}

}  // namespace

extern "C" {

LandingPad __wasm_lpad_context;

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* memory = std::malloc(sizeof(Thrown) + size);
  if (!memory) std::abort();
  return static_cast<Thrown*>(memory) + 1;
}

void __cxa_free_exception(void* object) noexcept { std::free(static_cast<Thrown*>(object) - 1); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, Destroy destroy) {
  Thrown* thrown = static_cast<Thrown*>(object) - 1;
  *thrown = {type, destroy, 0, false};
  __builtin_wasm_throw(0, thrown);
}

void* __cxa_begin_catch(void* exception) noexcept {
  Thrown* thrown = static_cast<Thrown*>(exception);
  if (depth == kDeepest) std::abort();
  ++thrown->handlers;
  caught[depth++] = thrown;
  return thrown + 1;
}

void __cxa_end_catch() {
  Thrown* thrown = caught[--depth];
  --thrown->handlers;
  if (thrown->is_on_its_way) {
    thrown->is_on_its_way = false;
    return;
  }
  if (thrown->handlers != 0) return;
  if (thrown->destroy) thrown->destroy(thrown + 1);
  std::free(thrown);
}

[[noreturn]] void __cxa_rethrow() {
  Thrown* thrown = caught[depth - 1];
  thrown->is_on_its_way = true;
  __builtin_wasm_throw(0, thrown);
}

void* __cxa_get_exception_ptr(void* exception) noexcept { return static_cast<Thrown*>(exception) + 1; }

int __gxx_wasm_personality_v0(...) { std::abort(); }  // only its name is used

int _Unwind_CallPersonality(void* exception) {
  LandingPad& pad = __wasm_lpad_context;
  pad.selector = 0;
  const std::uint8_t* at = pad.tables;
  if (!at) return 0;
  constexpr std::uint8_t kOmitted = 0xff;
  if (*at++ != kOmitted) std::abort();
  const std::uint8_t* types = nullptr;
  if (*at++ != kOmitted) {
    const std::uint32_t size = read_unsigned(at);
    types = at + size;
  }
  ++at;  // how the call sites are encoded: unsigned numbers
  const std::uint32_t size = read_unsigned(at);
  const std::uint8_t* actions = at + size;
  while (at < actions) {
    const std::uint32_t landing = read_unsigned(at), action = read_unsigned(at);
    if (landing != pad.index) continue;
    if (action != 0)
      pad.selector = handler_for(*static_cast<Thrown*>(exception), actions + action - 1, types);
    return 0;
  }
  return 0;
}

}  // extern "C"
