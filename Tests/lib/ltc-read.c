// Reads linear time code with libltc: raw 32-bit floats at 48 kHz on standard input; for each frame a line with its
// first and last sample, its label, and 1 for drop frame.
#include <ltc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    double framesPerSecond = count > 1 ? atof(words[1]) : 25;
    LTCDecoder *decoder = ltc_decoder_create(48000 / framesPerSecond, 256);
    float samples[1024];
    ltc_off_t position = 0;
    size_t read;
    while ((read = fread(samples, sizeof(float), 1024, stdin)) > 0) {
        ltc_decoder_write_float(decoder, samples, read, position);
        position += read;
        LTCFrameExt frame;
        while (ltc_decoder_read(decoder, &frame)) {
            SMPTETimecode label;
            ltc_frame_to_time(&label, &frame.ltc, 0);
            printf("%lld %lld %02d:%02d:%02d:%02d %d\n", (long long)frame.off_start, (long long)frame.off_end,
                label.hours, label.mins, label.secs, label.frame, frame.ltc.dfbit);
        }
    }
    ltc_decoder_free(decoder);
    return 0;
}
