import ScoreFiles
import Tablature

/// Writes a tab as a MIDI file of format 1: a track of tempi and meters, then a track for each instrument.
///
/// The bars stand as written, repeats not unfolded. Harmonics sound at their own pitch; grace notes take a 32nd of the
/// time before or of the beat itself; bends, slides and other techniques are not played.
enum MIDITabWriter {
    /// Makes 256th notes, triplets of triplets, quintuplets and septuplets of 64ths whole numbers of ticks.
    static let ticksPerQuarter = 20_160

    static func write(_ tab: Tab) -> (bytes: [UInt8], remarks: [String]) {
        let starts = barStarts(tab)
        var tracks = [conductor(tab, starts)]
        let notes = tab.struckNotes
        var channel = 0
        for (index, track) in tab.tracks.enumerated() {
            var own = track.percussion ? 9 : track.channel ?? -1
            if own < 0 || (own == 9) != track.percussion {
                if channel == 9 { channel = 10 }
                own = channel
            }
            channel = (own == channel ? channel + 1 : channel) % 16
            tracks.append(
                write(notes.filter { $0.track == index + 1 }, of: track, UInt8(own), starts))
        }
        let sequence = MIDISequence(ticksPerQuarter: ticksPerQuarter, tracks: tracks)
        return (sequence.makeFile(), losses(tab))
    }

    private static func barStarts(_ tab: Tab) -> [Fraction] {
        tab.barLengths.reduce(into: [.zero]) { $0.append($0[$0.count - 1] + $1) }
    }

    static func ticks(_ quarters: Fraction) -> Int {
        let exact = quarters * Fraction(ticksPerQuarter)
        return min(max(Int(exact.value.rounded()), 0), 1 << 40)
    }

    private static func conductor(_ tab: Tab, _ starts: [Fraction]) -> MIDITrack {
        var events: [MIDIEvent] = []
        func tempo(_ value: Double, at tick: Int) {
            let microseconds = Int((60_000_000 / min(max(value, 4), 1_000)).rounded())
            events.append(MIDIEvent(tick: tick, message: .tempoChange(microsecondsPerQuarter: microseconds)))
        }
        tempo(tab.tempo ?? 120, at: 0)
        var (meter, last) = ([4, 4], [0, 0])
        for (number, bar) in tab.bars.enumerated() {
            let start = starts[number]
            if let time = bar.time, time.count == 2 { meter = time }
            // A bar of another length has a meter of its own, so that the next one begins in its place.
            let shown = bar.length.flatMap(Self.meter) ?? meter
            if number == 0 || shown != last, shown[1].nonzeroBitCount == 1 {
                events.append(
                    MIDIEvent(
                        tick: ticks(start), message: .timeSignature(beats: shown[0], beatUnit: shown[1])))
                last = shown
            }
            for change in bar.tempos { tempo(change.tempo, at: ticks(start + change.at)) }
        }
        let end = ticks(starts.last ?? .zero)
        events = events.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
            .map(\.element)
        return MIDITrack(name: tab.title.isEmpty ? nil : tab.title, events: events, endTick: end)
    }

    /// A meter of a length in quarters, if the units of MIDI give one.
    private static func meter(_ length: Fraction) -> [Int]? {
        let whole = length * Fraction(1, 4)
        let unit = max(4, whole.denominator)
        guard unit <= 128, unit.nonzeroBitCount == 1 else { return nil }
        let beats = (whole * Fraction(unit)).numerator
        return (1...128).contains(beats) ? [beats, unit] : nil
    }

    private static func write(
        _ notes: [StruckNote], of track: TabTrack, _ channel: UInt8, _ starts: [Fraction]
    ) -> MIDITrack {
        var timed: [(tick: Int, rank: Int, event: MIDIMessage)] = []
        if !track.percussion {
            timed.append(
                (0, 0, .programChange(channel: channel, number: UInt8(min(max(track.program, 0), 127)))))
        }
        for note in notes {
            var start = ticks(starts[note.bar - 1] + note.onset)
            var end = ticks(starts[note.bar - 1] + note.onset + note.length)
            if note.length == .zero {
                let short = ticks(Fraction(1, 8))
                end = start >= short ? start : short
                start = end - short
            }
            let key = UInt8(min(max(note.soundingPitch, 0), 127))
            let level = velocity(of: note.dynamic, note.techniques)
            timed.append((start, 2, .noteOn(channel: channel, key: key, velocity: level)))
            timed.append((max(end, start + 1), 1, .noteOff(channel: channel, key: key)))
        }
        let sorted = timed.enumerated().sorted {
            ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset)
        }
        let events = sorted.map { MIDIEvent(tick: $0.element.tick, message: $0.element.event) }
        let end = max(events.last?.tick ?? 0, ticks(starts.last ?? .zero))
        return MIDITrack(name: track.name.isEmpty ? nil : track.name, events: events, endTick: end)
    }

    private static func velocity(of dynamic: String?, _ techniques: NoteTechniques) -> UInt8 {
        let levels = ["ppp": 24, "pp": 36, "p": 50, "mp": 64, "mf": 78, "f": 92, "ff": 108, "fff": 120]
        var level = levels[dynamic ?? "f"] ?? 92
        if techniques.accent == .accent { level += 10 }
        if techniques.accent == .heavy { level += 18 }
        if techniques.ghost || techniques.dead { level -= 24 }
        return UInt8(min(max(level, 10), 127))
    }

    private static func losses(_ tab: Tab) -> [String] {
        var remarks = ["MIDI bears no strings, frets and techniques: they are left out."]
        if tab.bars.contains(where: { $0.repeats != nil || !$0.endings.isEmpty }) {
            remarks.append("The bars stand as written: repeats are not unfolded.")
        }
        return remarks
    }
}
