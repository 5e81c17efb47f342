/* SPDX-License-Identifier: MIT
 * Objects that a program in C offers at run time. */
#ifndef POLYCODEC_TESTS_HOSTS_PROGRAM_OBJECTS_H
#define POLYCODEC_TESTS_HOSTS_PROGRAM_OBJECTS_H

#include <polycodec/host.h>

/* How often the objects were released, and how many parts of a loop were run. */
extern int released_objects;
extern uint64_t parts_run;
/* Reports of progress that the program has heard. */
extern int reports_heard;

/* test.shout: files that begin with "SHOUT\n" and hold a text. Decoding "SHOUT\n#N" gives the sum
 * of N parts of a parallel loop, part 7 of which fails where N is above 1000; "SHOUT\n!" calls the
 * function test.answer; "SHOUT\n-" loses a part; and "SHOUT\n~" works until reports_heard grows. */
extern const polycodec_codec shout;
/* test.second: as test.shout, without a magic number. */
extern const polycodec_codec second;
/* test.invert: inverts each byte. */
extern const polycodec_filter invert;
/* test.one: a file that begins with "ONE\n" is a store with the blob "content". */
extern const polycodec_store_format one;
extern const polycodec_function answer;
extern const polycodec_type point;

#endif
