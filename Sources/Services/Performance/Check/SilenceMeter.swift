import Basics
import Features
import Foundation
import Hosting
import Platform
import Sound
import Synchronization

/// The silence of a hall as one microphone hears it.
struct HallSilence: Codable, Equatable, Sendable {
    /// The mean level, in dB of full scale.
    var levelDb: Double
    /// The levels of octaves in dB of full scale, by their middle frequencies in Hz.
    var octaves: [Int: Double]
    /// The hum in it; nil if there is none.
    var hum: MainsHum?
    /// The time of the measurement, in seconds since 1970.
    var measuredAt: Int
}

/// Listens to the input beside the follower: measures the silence of the hall, and hears hum.
///
/// While it listens, the capture thread copies each sample once more, into a ring of its own.
package final class SilenceMeter: Sendable {
    /// The samples for this meter; only written while ``isListening``.
    let ring: SampleRing
    let isListening = Atomic<Bool>(false)
    private let input: any SoundSource
    /// The file with the silence of each device and channel. One that cannot be read counts as none, because silence can
    /// be measured again.
    private let path: String
    private let key: @Sendable () -> String
    private let known: Mutex<(key: String, silence: HallSilence?)?>

    /// Seconds for which the silence is measured.
    static let seconds = 5.0
    /// Hops whose levels differ by more dB than this were no silence.
    private static let steadyWithinDb = 10.0

    /// - Parameters:
    ///   - channel: the channel of the device that is heard, as on the command line, unless a person chose another.
    ///   - dataFolder: the folder in which the silence is kept, by device and channel.
    package init(_ input: any SoundSource, channel: String, dataFolder: String) {
        self.input = input
        path = dataFolder + "/silence.json"
        key = {
            let chosen = (input as? ChangeableDeviceSource)?.channel.map { "\($0)" }
            return "\(input.name) \(chosen ?? channel)"
        }
        ring = SampleRing(capacity: Int(2 * input.rate.hertz))
        known = Mutex(nil)
    }

    /// The silence that was measured with the present device and channel; nil if nobody has measured it.
    var silence: HallSilence? {
        let key = key()
        return known.withLock { known in
            if let known, known.key == key { return known.silence }
            let silence = JSONFile.read([String: HallSilence].self, at: path)?[key]
            known = (key, silence)
            return silence
        }
    }

    /// Measures the silence of the hall and keeps it with the device.
    /// - Returns: what was measured in a sentence, or the reason why it was not.
    package func measureSilence() async -> SilenceAnswer {
        guard !input.status.isLost else {
            return .refused("No sound arrives; plug the sound device in first.")
        }
        guard let heard = await listen(seconds: Self.seconds) else {
            return .refused("The input is being measured already; wait until that is over.")
        }
        guard heard.loudest > -120 else {
            return .refused("The input is digitally silent; switch the microphone on and check the channel.")
        }
        guard heard.loudest - heard.quietest <= Self.steadyWithinDb else {
            return .refused(
                "It was not quiet: between \(heard.quietest.decimalText(0)) and \(heard.loudest.decimalText(0)) dB. "
                    + "Ask for silence on the stage and in the hall, and measure again.")
        }
        let silence = HallSilence(
            levelDb: (heard.level * 10).rounded() / 10, octaves: heard.octaves,
            hum: MainsHum.find(in: heard.spectrum), measuredAt: Int(Date().timeIntervalSince1970))
        let key = key()
        var all = JSONFile.read([String: HallSilence].self, at: path) ?? [:]
        all[key] = silence
        do { try JSONFile.write(all, to: path) } catch {
            return .refused("The silence could not be saved; free disk space and measure again.")
        }
        known.withLock { $0 = (key, silence) }
        return .measured(silence.sentence)
    }

    /// What was heard in some seconds.
    struct Heard {
        /// The levels of hops in dB of full scale: the quietest tenth, the loudest tenth, and the middle.
        var quietest, loudest, level: Double
        var spectrum: SteadySpectrum
        var octaves: [Int: Double]
    }

    /// Listens for some seconds.
    /// - Returns: nil if the meter is listening already, or if nothing arrived.
    func listen(seconds: Double) async -> Heard? {
        guard
            isListening.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
                .exchanged
        else { return nil }
        defer { isListening.store(false, ordering: .releasing) }
        var listener = SilenceListener(rate: input.rate)
        var block = [Float](repeating: 0, count: ring.capacity)
        // What an earlier measurement left.
        _ = block.withUnsafeMutableBufferPointer { ring.read(into: $0) }
        let end = MonotonicClock.now.nanoseconds + Int64(seconds * 1e9)
        while MonotonicClock.now.nanoseconds < end {
            try? await Task.sleep(for: .milliseconds(100))
            guard !Task.isCancelled else { return nil }
            let count = block.withUnsafeMutableBufferPointer { ring.read(into: $0) }
            block.withUnsafeBufferPointer { listener.hear(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
        return listener.result
    }
}

extension HallSilence {
    var sentence: String {
        "The silence of this hall with this microphone is \(levelDb.decimalText(0)) dB. "
            + (hum?.sentence ?? "No hum stands out of it.")
    }
}

/// Analyses sound by the engine's spectrum analyser, with a window long enough to tell 50 from 60 Hz.
struct SilenceListener {
    private let analyser: SpectrumAnalyser
    private var hopLevels: [Double] = []
    private var spectra: [[Float]] = []
    private let rate: SampleRate

    /// Bins of 1 Hz, four times a second. Half a minute of spectra up to 12 kHz takes 6 MB.
    private static var parameters: FeatureParameters {
        var parameters = FeatureParameters()
        (parameters.framesPerSecond, parameters.longWindowSeconds) = (4, 1)
        return parameters
    }
    private static let highestHertz = 12_000.0
    /// The middles of the octaves, in Hz.
    private static let octaves = [31, 63, 125, 250, 500, 1_000, 2_000, 4_000, 8_000]
    /// What is there for so large a share of the time is steady.
    private static let steadyShare = 0.75

    init(rate: SampleRate) {
        self.rate = rate
        analyser = SpectrumAnalyser(
            parameters: Self.parameters, sampleRate: rate, transforms: FFTWSpectrumMaker())
    }

    mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            let hop = analyser.addSamples(rest, taken: &taken)
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
            guard let hop else { continue }
            hopLevels.append(SteadySpectrum.decibels(Double(hop.meanSquare)))
            // Before that the window is not full.
            guard hopLevels.count >= Self.parameters.framesPerSecond else { continue }
            spectra.append(analyser.longSpectrum(upTo: Self.highestHertz))
        }
    }

    /// What was heard so far; nil if that is less than two seconds.
    var result: SilenceMeter.Heard? {
        guard let bins = spectra.first?.count, spectra.count >= Self.parameters.framesPerSecond else {
            return nil
        }
        let levels = hopLevels.sorted()
        // Of a Hann window the middle bin of a tone has a quarter of its amplitude times the window's length.
        let length = analyser.longWindowLength
        let scale = 8 / (length * length)
        var powers = [Double](repeating: 0, count: bins)
        for bin in 0..<bins {
            let sorted = spectra.map { $0[bin] }.sorted()
            powers[bin] = Double(sorted[Int(Double(sorted.count) * (1 - Self.steadyShare))]) * scale
        }
        let spectrum = SteadySpectrum(binPowers: powers, hertzPerBin: rate.hertz / length)
        return SilenceMeter.Heard(
            quietest: levels[levels.count / 10], loudest: levels[levels.count - 1 - levels.count / 10],
            level: levels[levels.count / 2], spectrum: spectrum,
            octaves: Dictionary(
                uniqueKeysWithValues: Self.octaves.map {
                    let middle = Double($0)
                    let level = spectrum.bandLevel(
                        from: middle / 2.0.squareRoot(), to: middle * 2.0.squareRoot())
                    return ($0, (level * 10).rounded() / 10)
                }))
    }
}
