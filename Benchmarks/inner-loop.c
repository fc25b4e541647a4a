// The engine's two inner loops in plain C, for comparison with the Swift ones: what a compiler makes of the
// straightforward text (rows), and what the layout of the Swift code is worth (tiles).
//
//   inner-loop [TURNS]    prints lines of: loop, layout, nanoseconds of half of the turns or less (p50)
//
// Same sizes, same clock and same arithmetic as `baton benchmark`: single precision, no relaxed rules.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { dimensions = 144, width = 16, window = 512, tempi = 25, margin = 16 };
enum { row_length = window + 2 * margin };

// As wide as a register: wider ones are taken apart badly.
#ifdef __AVX__
enum { lanes = 8 };
typedef float Lanes __attribute__((vector_size(32), aligned(4)));
#else
enum { lanes = 4 };
typedef float Lanes __attribute__((vector_size(16), aligned(4)));
#endif

static int64_t now(void) {
    struct timespec reading;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &reading);
    return (int64_t)reading.tv_sec * 1000000000 + reading.tv_nsec;
}

static int rising(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void tell(const char *loop, const char *layout, int64_t *lengths, int turns) {
    qsort(lengths, turns, sizeof *lengths, rising);
    printf("%s %s %lld\n", loop, layout, (long long)lengths[(turns - 1) / 2]);
}

static void *zeroed(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) exit(1);
    return memset(memory, 0, bytes);
}

static float chance(void) {
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (state >> 8) * 0x1p-24f;
}

// Similarities: the dot product of a live frame with each reference frame.

__attribute__((noinline)) static void similarities_rows(
    const float *frames, int count, const float *live, float *output) {
    for (int frame = 0; frame < count; frame++) {
        const float *row = frames + (size_t)frame * dimensions;
        float sum = 0;
        for (int value = 0; value < dimensions; value++) sum += row[value] * live[value];
        output[frame] = sum;
    }
}

__attribute__((noinline)) static void similarities_tiles(
    const float *tiles, int count, const float *live, float *output) {
    for (int tile = 0; tile < count / width; tile++) {
        const float *row = tiles + (size_t)tile * dimensions * width;
        Lanes sum[width / lanes] = {{0}};
        for (int value = 0; value < dimensions; value++)
            for (int part = 0; part < width / lanes; part++)
                sum[part] += *(const Lanes *)(row + value * width + part * lanes) * live[value];
        memcpy(output + tile * width, sum, sizeof sum);
    }
}

static float *made_frames(int count) {
    float *frames = zeroed((size_t)count * dimensions * sizeof(float));
    for (size_t index = 0; index < (size_t)count * dimensions; index++) frames[index] = chance() / 8;
    return frames;
}

static float *tiled(const float *frames, int count) {
    float *tiles = zeroed((size_t)count * dimensions * sizeof(float));
    for (int frame = 0; frame < count; frame++)
        for (int value = 0; value < dimensions; value++)
            tiles[((size_t)(frame / width) * dimensions + value) * width + frame % width] =
                frames[(size_t)frame * dimensions + value];
    return tiles;
}

static void measure_similarities(int count, int turns, int64_t *lengths) {
    float *frames = made_frames(count);
    float *tiles = tiled(frames, count);
    float *output = zeroed(count * sizeof(float));
    char name[32];
    snprintf(name, sizeof name, "similarities-%d", count);
    if (count > 10000) turns /= 5;
    for (int turn = 0; turn < turns; turn++) {
        const float *live = frames + (size_t)(turn % count) * dimensions;
        int64_t start = now();
        similarities_rows(frames, count, live, output);
        lengths[turn] = now() - start;
    }
    tell(name, "rows", lengths, turns);
    for (int turn = 0; turn < turns; turn++) {
        const float *live = frames + (size_t)(turn % count) * dimensions;
        int64_t start = now();
        similarities_tiles(tiles, count, live, output);
        lengths[turn] = now() - start;
    }
    tell(name, "tiles", lengths, turns);
    free(frames);
    free(tiles);
    free(output);
}

// One step of a window: similarities, weights, moves over frames and tempi, and where the peak is.

struct Filter {
    float *rows, *next, *standing, *marginal, *similarity, *weights, *standing_weights;
    float ratios[tempi], gain;
    double position;
};

static const float drift = 0.01f, leave = 0.0003f, staying = 0.8f, sharpness = 2.5f, noise = 0.3f;

static struct Filter made_filter(void) {
    struct Filter filter = {
        zeroed(tempi * row_length * 4), zeroed(tempi * row_length * 4), zeroed(row_length * 4),
        zeroed(row_length * 4), zeroed(row_length * 4), zeroed(row_length * 4), zeroed(row_length * 4),
        {0}, 1, 0,
    };
    for (int tempo = 0; tempo < tempi; tempo++)
        filter.ratios[tempo] = 0.4f * powf(2.5f / 0.4f, tempo / (tempi - 1.0f));
    for (int column = 250; column < 260; column++) filter.standing[margin + column] = 0.1f;
    return filter;
}

static void weigh(struct Filter *filter) {
    const float *similarity = filter->similarity;
    float best = noise;
    for (int column = margin; column < margin + window; column++)
        best = similarity[column] > best ? similarity[column] : best;
    float noise_weight = expf(sharpness * (noise - best));
    for (int column = margin; column < margin + window; column++) {
        float weight = expf(sharpness * (similarity[column] - best));
        filter->weights[column] = weight * filter->gain;
        filter->standing_weights[column] = (weight > noise_weight ? weight : noise_weight) * filter->gain;
    }
}

static void find_peak(struct Filter *filter) {
    float running = 0, best = -1;
    int middle = 0;
    for (int column = 0; column < window; column++) {
        running += filter->marginal[margin + column];
        if (column >= 21) running -= filter->marginal[margin + column - 21];
        if (running > best) {
            best = running;
            middle = column > 10 ? column - 10 : 0;
        }
    }
    filter->position = middle;
}

// Cell by cell, as one would write it down.
__attribute__((noinline)) static void step_rows(struct Filter *filter, const float *prior) {
    float total = 0;
    for (int column = margin; column < margin + window; column++) {
        float stood = filter->standing[column], moved = 0, weighed = 0;
        for (int tempo = 0; tempo < tempi; tempo++) {
            float value = 0;
            for (int from = tempo - 1; from <= tempo + 1; from++) {
                if (from < 0 || from >= tempi) continue;
                int whole = (int)filter->ratios[from];
                float rest = filter->ratios[from] - whole;
                const float *source = filter->rows + from * row_length + column - whole;
                float predicted = source[0] * (1 - rest) + source[-1] * rest;
                float kept = 1 - 2 * drift - leave + (from == 0 || from == tempi - 1 ? drift : 0);
                value += predicted * (from == tempo ? kept : drift);
                if (from == tempo) moved += predicted;
            }
            value = (value + stood * (1 - staying) * prior[tempo]) * filter->weights[column];
            filter->next[tempo * row_length + column] = value;
            weighed += value;
        }
        float stands = (stood * staying + moved * leave) * filter->standing_weights[column];
        filter->standing[column] = stands;
        filter->marginal[column] = weighed + stands;
        total += weighed + stands;
    }
    filter->gain = 1 / (total > 1e-30f ? total : 1e-30f);
}

static inline __attribute__((always_inline)) Lanes predicted(
    const struct Filter *filter, int tempo, int column) {
    int whole = (int)filter->ratios[tempo];
    float rest = filter->ratios[tempo] - whole;
    const float *source = filter->rows + tempo * row_length + column - whole;
    return *(const Lanes *)source * (1 - rest) + *(const Lanes *)(source - 1) * rest;
}

// Four or eight columns at a time, each prediction made once.
__attribute__((noinline)) static void step_tiles(struct Filter *filter, const float *prior) {
    Lanes total = {0};
    for (int column = margin; column < margin + window; column += lanes) {
        Lanes stood = *(const Lanes *)(filter->standing + column), moved = {0}, weighed = {0}, slower = {0};
        Lanes weight = *(const Lanes *)(filter->weights + column);
        Lanes current = predicted(filter, 0, column);
        for (int tempo = 0; tempo < tempi; tempo++) {
            int is_last = tempo + 1 == tempi;
            Lanes faster = {0};
            if (!is_last) faster = predicted(filter, tempo + 1, column);
            moved += current;
            float kept = 1 - 2 * drift - leave + (tempo == 0 || is_last ? drift : 0);
            Lanes value = current * kept + (slower + faster) * drift + stood * (1 - staying) * prior[tempo];
            value *= weight;
            *(Lanes *)(filter->next + tempo * row_length + column) = value;
            weighed += value;
            slower = current;
            current = faster;
        }
        Lanes stands = stood * staying + moved * leave;
        stands *= *(const Lanes *)(filter->standing_weights + column);
        *(Lanes *)(filter->standing + column) = stands;
        *(Lanes *)(filter->marginal + column) = weighed + stands;
        total += weighed + stands;
    }
    float sum = 0;
    for (int lane = 0; lane < lanes; lane++) sum += total[lane];
    filter->gain = 1 / (sum > 1e-30f ? sum : 1e-30f);
}

static void measure_window(int turns, int64_t *lengths, int is_tiled) {
    float *frames = made_frames(window);
    float *tiles = tiled(frames, window);
    struct Filter filter = made_filter();
    float prior[tempi];
    for (int tempo = 0; tempo < tempi; tempo++) prior[tempo] = 1.0f / tempi;
    float live[dimensions];
    for (int turn = 0; turn < turns; turn++) {
        const float *heard = frames + (size_t)(turn % window) * dimensions;
        int64_t start = now();
        for (int value = 0; value < dimensions; value++) live[value] = heard[value] * 0.5f;
        if (is_tiled) similarities_tiles(tiles, window, live, filter.similarity + margin);
        else similarities_rows(frames, window, live, filter.similarity + margin);
        weigh(&filter);
        if (is_tiled) step_tiles(&filter, prior);
        else step_rows(&filter, prior);
        float *rows = filter.rows;
        filter.rows = filter.next;
        filter.next = rows;
        find_peak(&filter);
        lengths[turn] = now() - start;
    }
    tell("window-step", is_tiled ? "tiles" : "rows", lengths, turns);
}

int main(int count, char **words) {
    int turns = count > 1 ? atoi(words[1]) : 3000;
    if (turns < 10) turns = 10;
    int64_t *lengths = zeroed(turns * sizeof *lengths);
    measure_similarities(window, turns, lengths);
    measure_similarities(6000, turns, lengths);
    measure_similarities(54000, turns, lengths);
    measure_window(turns, lengths, 0);
    measure_window(turns, lengths, 1);
    return 0;
}
