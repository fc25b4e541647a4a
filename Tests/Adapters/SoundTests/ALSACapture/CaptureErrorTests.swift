import Basics
import Glibc
import Testing

@testable import Sound

@Suite struct CaptureErrorTests {
    @Test func everySentenceSaysWhatWhereAndWhatToDo() {
        #expect(
            CaptureError.deviceNotOpened(device: "hw:9", code: ENOENT).sentence
                == "There is no capture device “hw:9” (No such file or directory). "
                + "The page /start and baton devices list what is there.")
        #expect(
            CaptureError.deviceNotOpened(device: "hw:0", code: EBUSY).sentence.contains("Close that program"))
        #expect(CaptureError.deviceNotOpened(device: "hw:0", code: EACCES).sentence.contains("group “audio”"))
        #expect(
            CaptureError.deviceNotOpened(device: "pulse", code: ECONNREFUSED).sentence.contains(
                "sound server"))
        #expect(
            CaptureError.settingRejected(device: "hw:0", asked: "interleaved samples", code: EINVAL).sentence
                == "“hw:0” refuses interleaved samples (Invalid argument). Try plughw:0, which converts.")
        #expect(
            CaptureError.noSuchChannel(device: "room", wanted: 3, channels: 2).sentence
                == "“room” has no channel 3: it gives 2. Choose 1 to 2, or mix.")
        #expect(
            CaptureError.rateChanged(
                device: "room", was: SampleRate(hertz: 48_000), now: SampleRate(hertz: 44_100)
            ).sentence
                == "“room” came back with 44100.0 Hz instead of 48000.0 Hz. Set it back, or start again.")
        #expect(
            CaptureError.noSupportedFormat(device: "x", understood: ["A", "B"]).sentence.contains("A, B"))
    }
}
