import Basics

/// The bars of a performance on the ticks of a MIDI file: bar lines as in the score, tempi as performed.
///
/// Tick 0 is the first bar line. A bar whose length no time signature has gets that of the nearest signature.
struct PerformedBars: Equatable, Sendable {
    /// A tick is a tenth of a millisecond at 125 quarters a minute.
    static let ticksPerQuarter = 4_800
    /// The largest error of a bar line's time. Tempi are whole microseconds a quarter, so that errors add up.
    static let toleranceSeconds = 0.000_05

    /// The time signatures and tempi, in order.
    private(set) var events: [MIDIEvent] = []
    private(set) var endTick = 0
    private var knotTicks = [0]
    /// The time of each knot by the whole microseconds of the tempi, from the first bar line.
    private var knotSeconds = [0.0]
    private var tempo: Int?

    init(of music: NotatedMusic, clock: ScoreTickConverter) {
        let signatures = WrittenSignatures(music.sequence)
        let onsets = music.playedMeasures.map(\.startTick)
        var shown: BarSignature?
        var step = 1
        for (bar, onset) in onsets.enumerated() {
            let stop = bar + 1 < onsets.count ? onsets[bar + 1] : music.endTick
            let signature = signatures.signature(from: onset, to: stop)
            if signature != shown {
                events.append(
                    MIDIEvent(
                        tick: endTick,
                        message: .timeSignature(beats: signature.beats, beatUnit: signature.beatUnit)))
                shown = signature
            }
            let begin = endTick
            let length = signature.ticks(perQuarter: Self.ticksPerQuarter)
            while step < clock.gridTicks.count, clock.gridTicks[step] <= stop {
                let tick = begin + (clock.gridTicks[step] - onset) * length / (stop - onset)
                addKnot(tick, seconds: clock.gridSeconds[step] - clock.gridSeconds[0])
                step += 1
            }
            endTick = begin + length
        }
    }

    /// The tick of a time, counted from the first bar line; what sounds outside the bars goes to their edge.
    func tick(atSeconds seconds: Double) -> Int {
        var low = 0
        var high = knotTicks.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if knotSeconds[middle] <= seconds { low = middle } else { high = middle }
        }
        let span = knotSeconds[high] - knotSeconds[low]
        guard span > 0 else { return knotTicks[low] }
        let share = min(max((seconds - knotSeconds[low]) / span, 0), 1)
        return knotTicks[low] + Int((share * Double(knotTicks[high] - knotTicks[low])).rounded())
    }

    private mutating func addKnot(_ tick: Int, seconds: Double) {
        let (lastTick, last) = (knotTicks[knotTicks.count - 1], knotSeconds[knotSeconds.count - 1])
        guard tick > lastTick else { return }
        let quarters = Double(tick - lastTick) / Double(Self.ticksPerQuarter)
        func end(_ microseconds: Int) -> Double { last + quarters * Double(microseconds) / 1_000_000 }
        if tempo.map({ abs(end($0) - seconds) > Self.toleranceSeconds }) ?? true {
            let wanted = (max(seconds - last, 0) / quarters * 1_000_000).rounded()
            let microseconds = Int(min(max(wanted, 1), 0xFF_FFFF))
            if microseconds != tempo {
                events.append(
                    MIDIEvent(tick: lastTick, message: .tempoChange(microsecondsPerQuarter: microseconds)))
            }
            tempo = microseconds
        }
        knotTicks.append(tick)
        knotSeconds.append(end(tempo ?? 500_000))
    }
}

/// A time signature.
struct BarSignature: Equatable, Sendable {
    var beats: Int
    var beatUnit: Int

    func ticks(perQuarter: Int) -> Int { 4 * perQuarter * beats / beatUnit }
}

/// The time signatures of a sequence, by which its bars are written again.
private struct WrittenSignatures {
    private let ticksPerQuarter: Int
    private let changes: [(tick: Int, signature: BarSignature)]

    init(_ sequence: MIDISequence) {
        ticksPerQuarter = sequence.ticksPerQuarter
        changes = sequence.tracks.flatMap(\.events).compactMap { event in
            guard case .timeSignature(let beats, let unit) = event.message else { return nil }
            return (event.tick, BarSignature(beats: beats, beatUnit: unit))
        }.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    }

    /// The signature of a bar: the written one, or, for a pickup bar and the like, one of the bar's length.
    func signature(from start: Int, to end: Int) -> BarSignature {
        let length = end - start
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].tick <= start { low = middle + 1 } else { high = middle }
        }
        if low > 0 {
            let written = changes[low - 1].signature
            if written.beats < 256, written.ticks(perQuarter: ticksPerQuarter) == length { return written }
        }
        let whole = 4 * ticksPerQuarter
        for unit in [4, 8, 2, 16, 1, 32, 64, 128] where length * unit % whole == 0 {
            if (1...255).contains(length * unit / whole) {
                return BarSignature(beats: length * unit / whole, beatUnit: unit)
            }
        }
        for unit in [128, 64, 32, 16, 8, 4, 2] where length * unit / whole < 255 {
            let beats = (Double(length * unit) / Double(whole)).rounded()
            return BarSignature(beats: max(Int(beats), 1), beatUnit: unit)
        }
        return BarSignature(beats: min(max(length / whole, 1), 255), beatUnit: 1)
    }
}
