import Basics
import Foundation
import Platform
import Testing

@testable import Hosting
@testable import Performance
@testable import TestHelpers

/// The silence of the hall, and hum in it.
@Suite struct SilenceTests {
    private static let rate = SampleRate(hertz: 48_000)

    /// Noise of a room at -70 dB, with tones at frequencies and levels in dB of full scale.
    private static func sound(_ tones: [Double: Double], seconds: Double = 6, noiseDb: Double = -70)
        -> [Float]
    {
        var random = SystemRandomNumberGenerator()
        let amplitude = pow(10, noiseDb / 20) * 3.0.squareRoot()
        return (0..<Int(seconds * rate.hertz)).map { index in
            let time = Double(index) / rate.hertz
            let noise = Double.random(in: -amplitude...amplitude, using: &random)
            return Float(
                tones.reduce(noise) { sum, tone in
                    sum + pow(10, tone.value / 20) * 2.0.squareRoot() * sin(2 * .pi * tone.key * time)
                })
        }
    }

    private static func heard(_ samples: [Float]) throws -> SilenceMeter.Heard {
        var listener = SilenceListener(rate: rate)
        samples.withUnsafeBufferPointer { listener.hear($0) }
        return try #require(listener.result)
    }

    @Test(arguments: [50, 60])
    func humIsFoundWithItsFrequencyAndLevel(_ hertz: Int) throws {
        let tones = Dictionary(
            uniqueKeysWithValues: [1, 2, 3, 4].map { (Double(hertz * $0), -60.0 - Double($0)) })
        let hum = try #require(MainsHum.find(in: Self.heard(Self.sound(tones)).spectrum))
        #expect(hum.hertz == hertz)
        #expect(hum.tones == [1, 2, 3, 4].map { $0 * hertz })
        #expect(abs(hum.levelDb - -56.4) < 1.5)
        #expect(hum.sentence.contains("Hum of \(hertz) Hz is heard, at -5"))
    }

    @Test func aRoomAVentilatorAndALowNoteAreNoHum() throws {
        for tones in [[:], [50: -50.0], [49.0: -30, 98: -36, 147: -40, 196: -44]] as [[Double: Double]] {
            #expect(MainsHum.find(in: try Self.heard(Self.sound(tones)).spectrum) == nil)
        }
    }

    @Test func humIsHeardUnderMusicThatComesAndGoes() throws {
        let hum = Self.sound([100: -58, 200: -60, 300: -62], seconds: 12)
        let music = Self.sound([100: -30, 110: -30, 440: -20], seconds: 12)
        let mixed = hum.indices.map { hum[$0] + (($0 / 144_000) % 2 == 0 ? music[$0] : 0) }
        #expect(try MainsHum.find(in: Self.heard(mixed).spectrum)?.hertz == 50)
        let without = music.indices.map { ($0 / 144_000) % 2 == 0 ? music[$0] : hum[$0] * 0.01 }
        #expect(try MainsHum.find(in: Self.heard(without).spectrum) == nil)
    }

    @Test func theLevelsAreThoseOfTheSound() throws {
        let heard = try Self.heard(Self.sound([1_000: -40], noiseDb: -100))
        #expect(abs(heard.level - -40) < 0.5)
        #expect(abs((heard.octaves[1_000] ?? 0) - -40) < 1.5)
        #expect((heard.octaves[125] ?? 0) < -80)
    }

    @Test func theSilenceIsKeptByDeviceAndChannel() throws {
        let folder = try ServeFolder()
        let path = folder.path + "/silence.json"
        let kept = { JSONFile.read([String: HallSilence].self, at: path) }
        #expect(kept() == nil)
        let silence = HallSilence(levelDb: -62, octaves: [125: -70], hum: nil, measuredAt: 1)
        let other = HallSilence(levelDb: -50, octaves: [:], hum: nil, measuredAt: 2)
        try JSONFile.write(["hw:1 mix": silence, "hw:1 2": other], to: path)
        #expect(kept() == ["hw:1 mix": silence, "hw:1 2": other])
        try folder.write("{", to: "silence.json")
        #expect(kept() == nil)
    }

    @Test func theCheckSaysHumAndNoiseWithWhatHelps() throws {
        let quiet = try Self.heard(Self.sound([:]))
        let silence = HallSilence(levelDb: -70, octaves: [:], hum: nil, measuredAt: 1)
        #expect(PreShowCheckVerdict(onSilence: silence, heard: quiet).kind == .pass)
        #expect(PreShowCheckVerdict(onSilence: nil, heard: quiet).sentence.contains("Measure the silence"))
        let loud = try Self.heard(Self.sound([:], noiseDb: -55))
        #expect(PreShowCheckVerdict(onSilence: silence, heard: loud).kind == .warn)
        let hum = try Self.heard(Self.sound([50: -50, 100: -52, 150: -54]))
        let verdict = PreShowCheckVerdict(onSilence: silence, heard: hum)
        #expect(verdict.kind == .warn && verdict.sentence.contains("balanced cables"))
        #expect(PreShowCheckVerdict(onSilence: nil, heard: nil).kind == .skipped)
    }
}

/// What a follower hears again when a person says that the music has begun.
@Suite struct RecentSoundTests {
    private let rate = SampleRate(hertz: 1_000)

    /// Blocks of a twentieth of a second, each loud or quiet.
    private func replayed(_ blocks: String) -> [Float] {
        let recent = RecentSound(sampleRate: rate)
        for (number, block) in blocks.enumerated() {
            let sample: Float = block == "x" ? 0.5 + Float(number) / 1_000 : 0.001
            let samples = [Float](repeating: sample, count: 50)
            samples.withUnsafeBufferPointer { recent.append($0) }
        }
        var heard: [Float] = []
        let count = recent.replayNewestBeginning { heard += $0 }
        #expect(count == heard.count)
        return heard
    }

    @Test func theFirstSoundAfterASilenceIsHeardAgain() {
        // Two seconds: tuning ended, and the music began half a second ago.
        let heard = replayed("xxxxxxxxxxxxxxxxxxxx" + "xxxxxxxx" + "......................" + "xxxxxxxxxx")
        #expect(heard.count(where: { $0 > 0.1 }) == 500)
        #expect(heard.count == 540, "with two blocks of 20 ms before it")
    }

    @Test func ofARestInTheFirstBarBothSoundsAreHeardAgain() {
        let heard = replayed(String(repeating: ".", count: 20) + "xxxx" + "........" + "xxxxxxxx")
        #expect(heard.count(where: { $0 > 0.1 }) == 600)
    }

    @Test func withoutSilenceEverythingIsHeardAgainAndInSilenceNothing() {
        #expect(replayed(String(repeating: "x", count: 60)).count == 2_000)
        #expect(replayed(String(repeating: "x", count: 30) + String(repeating: ".", count: 10)).isEmpty)
        #expect(replayed("").isEmpty)
    }
}
