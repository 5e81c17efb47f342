/* SPDX-License-Identifier: MIT
 *
 * polycodec plugin ABI, major version 2.
 *
 * This header is all that a plugin and a host share, in four parts: values, streams of bytes, the
 * host's services, the plugin. They are plain C11, include nothing but <stddef.h>, <stdint.h> and
 * the parts before, and may be copied into another project. Everything here is a contract: what a
 * caller must do, what a callee may rely on. Where a rule is not obvious, its rationale is written
 * beside it. docs/abi.md tells the whole story, docs/writing-a-plugin.md the way in.
 *
 * Objects
 *  - The first parameter of every function pointer is the object that holds the pointer, `self`.
 *    `self->private_data` belongs to the side that filled the object. So a closure, a class of
 *    another language or a wrapper can stand for any object of this header.
 *  - A function that takes `const T* self` is [thread-safe]: any thread may call it, also at the
 *    same time as itself. A function that takes `T* self` is [one-thread]: calls for one object
 *    never overlap, different objects are independent. [load-thread]: called once, by the thread
 *    that loads the plugin.
 *  - `release(self)`, where there is one, is called exactly once, by the one owner, on any thread,
 *    maybe after the registry was closed. Whoever shares an object counts its holders itself.
 *    Tables from get_interface() live until deinit() and have no release. An object that `open`,
 *    `create` or `edit` made belongs to its receiver. An object that a program adds to a registry
 *    belongs to the registry if that succeeds, and to the program if it fails.
 *  - Function pointers of 2.0 are never NULL unless their comment says so. Later ones are asked for
 *    with POLYCODEC_HAS.
 *
 * Structs
 *  - Every struct that may grow starts with `struct_size`, which the side that owns the memory sets
 *    to sizeof(struct). For results (error, sniff, entry, step) that is the caller; the callee
 *    leaves it alone. A reader uses a field only if POLYCODEC_HAS(type, p, field) holds. Fields are
 *    only ever appended. `reserved` and unknown flags are 0.
 *  - polycodec_node, polycodec_bytes and polycodec_column have no size field: they are frozen for
 *    this major.
 *  - A host never passes kinds, dtypes, layouts, units or flags that are newer than the plugin's
 *    minor version: it answers POLYCODEC_ERROR_UNSUPPORTED in the plugin's place. So a plugin's
 *    tables may end at the COUNT that it was compiled with.
 *
 * Functions
 *  - They return POLYCODEC_OK (0) or a code from polycodec_status. On failure they have filled
 *    `error`, which is never NULL, and results are unspecified. No C++ exception and no longjmp may
 *    leave a function of this header.
 *  - Everything that may see bytes of others takes the call. Whoever passes a call on has stored
 *    his view of `credit` and of the arena's cursor in it.
 *  - A plugin must not write to standard output or standard error, open files or sockets by itself,
 *    start processes, call abort() or exit(), or change the locale, the signal handlers, the
 *    environment or the floating-point mode. It reports through return values and
 *    polycodec_host.log.
 *
 * Text is UTF-8 with an explicit size. `const char*` fields are NUL-terminated: they occur only in
 * constant tables, which authors write by hand. All integers of values are in the byte order of the
 * machine unless a `byte_order` field says otherwise.
 */
#ifndef POLYCODEC_ABI_H
#define POLYCODEC_ABI_H

#include <polycodec/abi/plugin.h>
#include <polycodec/abi/services.h>
#include <polycodec/abi/streams.h>
#include <polycodec/abi/values.h>

#endif /* POLYCODEC_ABI_H */
