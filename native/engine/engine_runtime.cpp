// Lets the engine load on systems older than the one it was built on.
//
// The C++ runtime inside the library asks for functions that only a new C library has (glibc 2.32 to 2.35).
// They are provided here instead, so that glibc 2.17 (2012) is enough; tests/outside/test_export.py looks.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <cerrno>

extern "C" {

// The engine never starts a thread: its solver has one.
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept { return EAGAIN; }
int pthread_join(pthread_t, void**) { return EINVAL; }
int pthread_once(pthread_once_t* once, void (*action)()) {
  if (*once == PTHREAD_ONCE_INIT) {
    *once = !PTHREAD_ONCE_INIT;
    action();
  }
  return 0;
}
int __pthread_key_create(pthread_key_t*, void (*)(void*)) noexcept { return EAGAIN; }
char __libc_single_threaded = 0;  // the program that loads the engine may have threads

#ifdef DLFO_EH_SEGMENT_TYPE
// Where the unwinder finds the tables of the code at `pc`: exceptions do not leave this library, so they are
// those of a loaded object, and dl_iterate_phdr knows them all.
int _dl_find_object(void* pc, dl_find_object* found) noexcept {
  struct Question {
    ElfW(Addr) pc;
    dl_find_object* found;
  } question{reinterpret_cast<ElfW(Addr)>(pc), found};
  const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    const auto* asked = static_cast<Question*>(data);
    bool is_inside = false;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      const ElfW(Addr) start = object->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && asked->pc >= start && asked->pc < start + part.p_memsz) {
        is_inside = true;
        asked->found->dlfo_map_start = reinterpret_cast<void*>(start);
        asked->found->dlfo_map_end = reinterpret_cast<void*>(start + part.p_memsz);
      } else if (part.p_type == DLFO_EH_SEGMENT_TYPE) {
        asked->found->dlfo_eh_frame = reinterpret_cast<void*>(start);
      }
    }
    return is_inside ? 1 : 0;
  };
  found->dlfo_flags = 0;
  found->dlfo_link_map = nullptr;
  return dl_iterate_phdr(look, &question) == 1 ? 0 : -1;
}
#endif

}  // extern "C"
