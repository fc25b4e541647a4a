import Foundation

/// The mean power spectrum of some seconds of sound: the part of it that sounds all the time.
struct SteadySpectrum {
    /// The mean square of each bin, bin 0 first, so that a tone's bin has the mean square of the tone.
    var binPowers: [Double]
    var hertzPerBin: Double

    /// The level of a tone or noise around a frequency, in dB of full scale: its loudest bin within a distance.
    func level(around hertz: Double, within distance: Double) -> Double {
        bins(from: hertz - distance, to: hertz + distance).map { Self.decibels(binPowers[$0]) }.max() ?? -120
    }

    /// The usual level of the bins beside a frequency, in dB of full scale: their median.
    func floor(beside hertz: Double, from nearest: Double, to farthest: Double) -> Double {
        let beside =
            bins(from: hertz - farthest, to: hertz - nearest)
            + bins(from: hertz + nearest, to: hertz + farthest)
        let levels = beside.map { Self.decibels(binPowers[$0]) }.sorted()
        return levels.isEmpty ? -120 : levels[levels.count / 2]
    }

    /// The level of all bins between two frequencies, in dB of full scale.
    func bandLevel(from low: Double, to high: Double) -> Double {
        // A Hann window spreads a tone's power over bins that together have one and a half times of it.
        Self.decibels(bins(from: low, to: high).reduce(0) { $0 + binPowers[$1] } / 1.5)
    }

    private func bins(from low: Double, to high: Double) -> [Int] {
        let first = max(Int((low / hertzPerBin).rounded(.up)), 1)
        let last = min(Int((high / hertzPerBin).rounded(.down)), binPowers.count - 1)
        return first <= last ? Array(first...last) : []
    }

    static func decibels(_ power: Double) -> Double { power > 1e-12 ? 10 * log10(power) : -120 }
}

/// The hum of a mains supply: tones at 50 or 60 Hz and its multiples that stand out of the spectrum.
struct MainsHum: Codable, Equatable, Sendable {
    /// The frequency of the mains: 50 or 60 Hz.
    var hertz: Int
    /// The level of all its tones together, in dB of full scale.
    var levelDb: Double
    /// The frequencies of its tones, lowest first.
    var tones: [Int]

    /// The multiples of the mains' frequency that are looked at: hum of power supplies has most at twice its frequency.
    private static let multiples = 1...8
    /// A tone stands out if it is so many dB above the sound beside it.
    private static let standsOutDb = 10.0
    /// Tones below this level, in dB of full scale, are no hum that anything hears.
    private static let leastDb = -90.0
    /// So many tones must stand out: one alone may be a fan, or a string that somebody plays.
    private static let leastToneCount = 3

    /// Finds the hum in a spectrum whose bins are at most 2 Hz wide; nil if there is none.
    static func find(in spectrum: SteadySpectrum) -> MainsHum? {
        [50, 60].compactMap { find($0, in: spectrum) }.max {
            ($0.tones.count, $0.levelDb) < ($1.tones.count, $1.levelDb)
        }
    }

    private static func find(_ hertz: Int, in spectrum: SteadySpectrum) -> MainsHum? {
        var tones: [Int] = []
        var power = 0.0
        for multiple in multiples {
            let tone = Double(hertz * multiple)
            let level = spectrum.level(around: tone, within: 1.5)
            guard level > leastDb, level - spectrum.floor(beside: tone, from: 4, to: 20) >= standsOutDb else {
                continue
            }
            tones.append(hertz * multiple)
            power += pow(10, level / 10)
        }
        guard tones.count >= leastToneCount else { return nil }
        return MainsHum(
            hertz: hertz, levelDb: (SteadySpectrum.decibels(power) * 10).rounded() / 10, tones: tones)
    }

    /// The hum in words, and what helps.
    var sentence: String {
        "Hum of \(hertz) Hz is heard, at \(Int(levelDb.rounded())) dB (\(tones.map(String.init).joined(separator: ", ")) "
            + "Hz). Use balanced cables, power the interface from the socket of the mixing desk, lift the ground with "
            + "a DI box, and keep the cable away from dimmers and power supplies."
    }
}
