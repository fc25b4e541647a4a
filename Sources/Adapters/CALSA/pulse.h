#pragma once
// The types of libpulse that a capture through a sound server needs. The library is loaded when such a device is opened
// (PulseLibrary.swift), so neither its headers nor the library itself are needed to build or to start the program. The
// layouts and values are those of the stable ABI of libpulse.so.0, from the headers of PulseAudio 16.
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int format;
    uint32_t rate;
    uint8_t channels;
} pulse_sample_spec;

typedef struct {
    uint8_t channels;
    int map[32];
} pulse_channel_map;

typedef struct {
    uint32_t maxlength, tlength, prebuf, minreq, fragsize;
} pulse_buffer_attr;

// The beginning of pa_source_info; the library owns the rest.
typedef struct {
    const char *name;
    uint32_t index;
    const char *description;
    pulse_sample_spec sample_spec;
    pulse_channel_map channel_map;
} pulse_source_info;

enum { PULSE_SAMPLE_FLOAT32LE = 5 };
enum { PULSE_CONTEXT_READY = 4, PULSE_CONTEXT_FAILED = 5, PULSE_CONTEXT_TERMINATED = 6 };
enum { PULSE_STREAM_CREATING = 1, PULSE_STREAM_READY = 2, PULSE_STREAM_FAILED = 3, PULSE_STREAM_TERMINATED = 4 };
enum { PULSE_OPERATION_RUNNING = 0 };
enum {
    PULSE_STREAM_START_CORKED = 0x1,
    PULSE_STREAM_NO_REMAP_CHANNELS = 0x10,
    PULSE_STREAM_NO_REMIX_CHANNELS = 0x20,
    PULSE_STREAM_DONT_MOVE = 0x200,
    PULSE_STREAM_ADJUST_LATENCY = 0x2000
};
enum {
    PULSE_ERR_ACCESS = 1,
    PULSE_ERR_INVALID = 3,
    PULSE_ERR_NOENTITY = 5,
    PULSE_ERR_CONNECTIONREFUSED = 6,
    PULSE_ERR_TIMEOUT = 8,
    PULSE_ERR_CONNECTIONTERMINATED = 11,
    PULSE_ERR_KILLED = 12
};

typedef void (*pulse_source_callback)(void *context, const pulse_source_info *source, int end, void *user);
