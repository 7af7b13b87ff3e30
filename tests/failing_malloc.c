/* Lets allocations of dehusk's compiled modules fail; loaded before the C library, by LD_PRELOAD.

An allocation is one of the modules if the function that calls malloc, calloc or realloc is in one of their files. They
are numbered from `fail` on, and those from `first` to `last` return NULL. What was allocated and not yet freed is
listed, to find leaks. For one thread, and for the C library of GNU, whose functions have a second name.
*/
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

enum { MODULES = 128, HELD = 1 << 16, PLACES = 4096 };
static struct { uintptr_t start, stop; char name[64]; } module[MODULES];
static uintptr_t place[PLACES]; /* where the calls were that failed */
static void *held[HELD]; /* a hash table: each is at its slot, or after it with none free between */
static uintptr_t lowest = UINTPTR_MAX, highest; /* of the modules */
static int modules, count_held, places;
static long number, first_failing, last_failing;

static int note(struct dl_phdr_info *info, size_t size, void *data) {
    const char *name = strstr(info->dlpi_name, "/dehusk/compiled/");
    (void)size, (void)data;
    for (int i = 0; name && i < info->dlpi_phnum && modules < MODULES; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            module[modules].start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            module[modules].stop = module[modules].start + info->dlpi_phdr[i].p_memsz;
            lowest = module[modules].start < lowest ? module[modules].start : lowest;
            highest = module[modules].stop > highest ? module[modules].stop : highest;
            snprintf(module[modules++].name, sizeof module->name, "%s", name + strlen("/dehusk/compiled/"));
        }
    return 0;
}

/* Find the modules that are loaded; return how many. */
int watch(void) {
    modules = 0;
    dl_iterate_phdr(note, NULL);
    return modules;
}

/* Number allocations from 1 again, and let those from `first` to `last` fail; 0 for none. */
void fail(long first, long last) { number = 0, first_failing = first, last_failing = last; }

long allocations(void) { return number; }

int outstanding(void) { return count_held; }

/* Return at how many places allocations have failed. */
int failed_places(void) { return places; }

static int module_of(uintptr_t caller) {
    int i = caller < lowest || caller >= highest ? modules : 0;
    while (i < modules && !(module[i].start <= caller && caller < module[i].stop))
        i++;
    return i < modules ? i : -1;
}

/* Write the module and the offset of a place that failed. */
void describe_place(int i, char *out, size_t size) {
    int at = module_of(place[i]);
    snprintf(out, size, "%s+%#lx", module[at].name, (long)(place[i] - module[at].start));
}

static void *refused(uintptr_t caller) {
    int i = 0;
    while (i < places && place[i] != caller)
        i++;
    if (i == places && places < PLACES)
        place[places++] = caller;
    errno = ENOMEM;
    return NULL;
}

static unsigned slot(void *memory) { return ((uintptr_t)memory >> 4) * 2654435761u % HELD; }

static void *hold(void *memory) {
    unsigned i = slot(memory);
    if (!memory || count_held >= HELD / 2)
        return memory;
    while (held[i])
        i = (i + 1) % HELD;
    held[i] = memory;
    count_held++;
    return memory;
}

/* Return whether memory was one of the modules', which is no longer listed. */
static int let_go(void *memory) {
    unsigned i = slot(memory), free_slot;
    while (held[i] && held[i] != memory)
        i = (i + 1) % HELD;
    if (!held[i])
        return 0;
    count_held--;
    for (free_slot = i; held[i = (i + 1) % HELD];)
        if ((i - slot(held[i])) % HELD >= (i - free_slot) % HELD) { /* its slot is not behind the free one */
            held[free_slot] = held[i];
            free_slot = i;
        }
    held[free_slot] = NULL;
    return 1;
}

static int is_failing(void) { return ++number >= first_failing && number <= last_failing; }

#define CALLER (uintptr_t)__builtin_return_address(0)

void *malloc(size_t size) {
    if (module_of(CALLER) < 0)
        return __libc_malloc(size);
    return is_failing() ? refused(CALLER) : hold(__libc_malloc(size));
}

void *calloc(size_t n, size_t size) {
    if (module_of(CALLER) < 0)
        return __libc_calloc(n, size);
    return is_failing() ? refused(CALLER) : hold(__libc_calloc(n, size));
}

void *realloc(void *memory, size_t size) {
    void *moved;
    int is_held;
    if (module_of(CALLER) >= 0 && is_failing())
        return refused(CALLER);
    is_held = let_go(memory);
    moved = __libc_realloc(memory, size);
    if (!moved && size && is_held)
        hold(memory);
    return is_held || module_of(CALLER) >= 0 ? hold(moved) : moved;
}

void free(void *memory) {
    let_go(memory);
    __libc_free(memory);
}
