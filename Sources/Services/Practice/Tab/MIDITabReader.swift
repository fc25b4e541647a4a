import Basics
import ScoreFiles
import TabFiles
import Tablature

/// Makes a tab of a MIDI file: bars from its meters, voices from overlapping notes, strings and frets by
/// ``StringAssignment``.
enum MIDITabReader {
    static let mostBytes = 8_000_000

    /// A note with its times in quarters from the beginning.
    struct TimedNote {
        var onset: Fraction
        var end: Fraction
        var key: Int
        var velocity: Int
    }

    /// - Throws: ``ExplainedError``.
    static func read(_ bytes: [UInt8], name: String) throws -> TabReading {
        guard bytes.count <= mostBytes else {
            throw ExplainedError(
                "\(name) has \(bytes.count / 1_000_000) MB; MIDI files of up to 8 MB are read.")
        }
        let sequence: MIDISequence
        do { sequence = try MIDIFileReader.read(bytes) } catch {
            throw ExplainedError(
                "\(name) is no MIDI file that can be read: \(error.sentence). Export it again.")
        }
        var lines = collectLines(of: sequence)
        guard lines.reduce(0, { $0 + $1.notes.count }) <= TabLimits.events / 2 else {
            throw ExplainedError("\(name) has more than \(TabLimits.events / 2) notes; split the piece.")
        }
        var remarks = sequence.remarks
        if lines.count > TabLimits.tracks {
            remarks.append("Only the first \(TabLimits.tracks) of \(lines.count) instruments are read.")
            lines.removeLast(lines.count - TabLimits.tracks)
        }
        let quantizer = MIDIQuantizer(sequence: sequence, ticks: lines.flatMap { $0.notes.map(\.start) })
        if !quantizer.isWritten {
            remarks.append(
                "The notes are not on a grid, as if played: onsets go to the nearest 16th or triplet eighth.")
        }
        var tab = Tab()
        tab.title = sequence.tracks.first?.name ?? ""
        let timed = lines.map { quantizer.quantize($0.notes) }
        let end = timed.joined().map(\.end).max() ?? .zero
        try MIDIBars.make(sequence, until: end, in: &tab, name: name)
        let starts = tab.barLengths.reduce(into: [Fraction.zero]) { $0.append($0[$0.count - 1] + $1) }
        var events = 0
        for (line, notes) in zip(lines, timed) {
            var track = TabTrack()
            (track.name, track.program, track.channel) = (line.name, line.program, line.channel)
            track.percussion = line.channel == 9
            let voices = MIDIVoices(starts: starts, isPercussion: track.percussion)
            track.bars = try voices.bars(of: notes, events: &events, name: name)
            if voices.mostVoices(notes) > TabLimits.voices {
                remarks.append(
                    "“\(line.name)” has more than \(TabLimits.voices) voices; the shortest notes are left out."
                )
            }
            var strings = StringAssignment(track: track, hasProgram: true)
            strings.settle(staff: 1, given: nil, capo: 0)
            remarks += strings.remarks
            tab.tracks.append(strings.track)
        }
        return TabReading(tab: tab, remarks: remarks)
    }

    /// The notes of one channel of one MIDI track, in ticks.
    struct Line {
        var name: String
        var channel: Int
        var program = 0
        var notes: [(start: Int, end: Int, key: Int, velocity: Int)] = []
    }

    /// Notes of one key that sound; the first one struck ends first.
    private struct SoundingNotes {
        var notes: [(start: Int, velocity: Int)] = []
        private var ended = 0

        var count: Int { notes.count - ended }

        mutating func next() -> (start: Int, velocity: Int)? {
            guard ended < notes.count else { return nil }
            ended += 1
            return notes[ended - 1]
        }
    }

    private static func collectLines(of sequence: MIDISequence) -> [Line] {
        var programs: [Int: Int] = [:]
        var all: [Line] = []
        for (number, track) in sequence.tracks.enumerated() {
            var lines: [Int: Line] = [:]
            // By channel and key.
            var sounding: [Int: SoundingNotes] = [:]
            func end(_ key: Int, _ channel: Int, at tick: Int) {
                guard let first = sounding[channel << 8 | key]?.next() else { return }
                if tick > first.start {
                    lines[channel]?.notes.append((first.start, tick, key, first.velocity))
                }
            }
            for event in track.events {
                switch event.message {
                case .programChange(let channel, let program):
                    let channel = Int(channel)
                    if lines[channel] == nil || programs[channel] == nil { programs[channel] = Int(program) }
                    if lines[channel]?.notes.isEmpty == true { lines[channel]?.program = Int(program) }
                case .noteOn(let channel, let key, let velocity):
                    let channel = Int(channel)
                    if lines[channel] == nil {
                        let title = track.name ?? "Track \(number + 1)"
                        lines[channel] = Line(name: title, channel: channel, program: programs[channel] ?? 0)
                    }
                    sounding[channel << 8 | Int(key), default: SoundingNotes()].notes.append(
                        (event.tick, Int(velocity)))
                case .noteOff(let channel, let key): end(Int(key), Int(channel), at: event.tick)
                default: break
                }
            }
            for (index, notes) in sounding {
                for _ in 0..<notes.count { end(index & 0xFF, index >> 8, at: track.endTick) }
            }
            let found = lines.values.filter { !$0.notes.isEmpty }.sorted { $0.channel < $1.channel }
            for var line in found {
                if found.count > 1 { line.name += ", channel \(line.channel + 1)" }
                line.notes.sort { ($0.start, $0.key, $0.end) < ($1.start, $1.key, $1.end) }
                all.append(line)
            }
        }
        return all
    }
}

/// Turns ticks into exact fractions of a quarter.
struct MIDIQuantizer {
    /// The finest exact subdivision of a quarter: 64ths, their triplets, quintuplets, septuplets.
    static let finest = 96
    let ticksPerQuarter: Int
    /// True if nearly all onsets lie on subdivisions, as in files that notation programs write.
    let isWritten: Bool

    init(sequence: MIDISequence, ticks: [Int]) {
        ticksPerQuarter = sequence.ticksPerQuarter
        let onGrid = ticks.count { Fraction($0, sequence.ticksPerQuarter).denominator <= Self.finest }
        // Coarse clocks have every tick on the grid; then the common subdivisions must prevail.
        let isCoarse = sequence.ticksPerQuarter <= Self.finest
        let plain = ticks.count {
            [1, 2, 3, 4, 5, 6, 8, 12, 16].contains(Fraction($0, sequence.ticksPerQuarter).denominator)
        }
        isWritten = (isCoarse ? plain : onGrid) * 10 >= ticks.count * 9
    }

    func quantize(_ notes: [(start: Int, end: Int, key: Int, velocity: Int)]) -> [MIDITabReader.TimedNote] {
        let onsets = notes.map { onset($0.start) }
        var result: [MIDITabReader.TimedNote] = []
        // Onsets ascend, so the next later one is found from behind.
        var next: [Fraction?] = Array(repeating: nil, count: notes.count)
        for index in notes.indices.reversed() where index + 1 < notes.count {
            next[index] = onsets[index + 1] > onsets[index] ? onsets[index + 1] : next[index + 1]
        }
        for (index, note) in notes.enumerated() {
            let end = end(of: note, from: onsets[index], next: next[index])
            result.append(.init(onset: onsets[index], end: end, key: note.key, velocity: note.velocity))
        }
        return result
    }

    private func onset(_ tick: Int) -> Fraction {
        let exact = Fraction(tick, ticksPerQuarter)
        if isWritten, exact.denominator <= Self.finest { return exact }
        return nearest(exact, [4, 3])
    }

    private func end(
        of note: (start: Int, end: Int, key: Int, velocity: Int), from onset: Fraction, next: Fraction?
    ) -> Fraction {
        let exact = Fraction(note.end, ticksPerQuarter)
        if isWritten, exact.denominator <= Self.finest, exact > onset,
            WrittenLength.one(exact - onset) != nil || (exact - onset).denominator <= 32
        {
            return exact
        }
        // Players and programs release a little early.
        if let next, exact < next, (next - exact).value <= 0.3 * (next - onset).value { return next }
        let rounded = nearest(exact, [4, 3])
        return rounded > onset ? rounded : onset + Fraction(1, 4)
    }

    private func nearest(_ exact: Fraction, _ denominators: [Int]) -> Fraction {
        denominators.map { denominator in
            Fraction(Int((exact.value * Double(denominator)).rounded()), denominator)
        }.min { abs($0.value - exact.value) < abs($1.value - exact.value) - 1e-9 }!
    }
}

/// The bars of a MIDI file, from its time signatures and tempi.
enum MIDIBars {
    static func make(
        _ sequence: MIDISequence, until end: Fraction, in tab: inout Tab, name: String
    ) throws {
        let meters = sequence.meters.filter {
            (1...128).contains($0.beats) && (1...128).contains($0.beatUnit)
        }
        .map { (at: Fraction($0.tick, sequence.ticksPerQuarter), time: [$0.beats, $0.beatUnit]) }
        var tempos: [(at: Fraction, tempo: Double)] = []
        for event in sequence.tracks.flatMap(\.events) {
            let at = Fraction(event.tick, sequence.ticksPerQuarter)
            switch event.message {
            case .tempoChange(let microseconds):
                let tempo = (60_000_000 / Double(microseconds) * 1_000).rounded() / 1_000
                tempos.append((at, min(max(tempo, 1), 1_000)))
            default: break
            }
        }
        tempos.sort { $0.at < $1.at }
        var (start, time, next): (Fraction, [Int], Int) = (.zero, [4, 4], 0)
        while start < end || tab.bars.isEmpty {
            var bar = TabBar()
            while next < meters.count, meters[next].at <= start {
                if meters[next].time != time { bar.time = meters[next].time }
                time = meters[next].time
                next += 1
            }
            var length = Fraction(time[0] * 4, time[1])
            // A meter that changes inside a bar ends it.
            if next < meters.count, meters[next].at < start + length {
                length = meters[next].at - start
                bar.length = length
            }
            tab.bars.append(bar)
            start += length
            guard tab.bars.count <= TabLimits.bars else {
                throw ExplainedError("\(name) has more than \(TabLimits.bars) bars; split the piece.")
            }
        }
        place(tempos, in: &tab)
    }

    private static func place(_ tempos: [(at: Fraction, tempo: Double)], in tab: inout Tab) {
        let lengths = tab.barLengths
        var (start, bar) = (Fraction.zero, 0)
        var last: Double?
        for (at, tempo) in tempos {
            while bar + 1 < lengths.count, start + lengths[bar] <= at {
                start += lengths[bar]
                bar += 1
            }
            if at == .zero {
                tab.tempo = tempo
            } else if tempo != last, bar < lengths.count, at - start < lengths[bar],
                tab.bars[bar].tempos.count < 64
            {
                tab.bars[bar].tempos.append(TempoChange(at: at - start, tempo: tempo))
            }
            last = tempo
        }
    }
}

/// Divides the notes of one instrument into voices, and those into bars.
struct MIDIVoices {
    /// The beginnings of the bars, and the end of the last one.
    let starts: [Fraction]
    let isPercussion: Bool

    private struct Chord {
        var onset: Fraction
        var end: Fraction
        var keys: [Int]
        var velocity: Int
    }

    func mostVoices(_ notes: [MIDITabReader.TimedNote]) -> Int { voices(of: notes, limit: 1_000).count }

    private func voices(of notes: [MIDITabReader.TimedNote], limit: Int) -> [[Chord]] {
        var chords: [Chord] = []
        var index: [Fraction: [Fraction: Int]] = [:]
        for note in notes {
            if let known = index[note.onset]?[note.end], !chords[known].keys.contains(note.key) {
                chords[known].keys.append(note.key)
            } else {
                index[note.onset, default: [:]][note.end] = chords.count
                chords.append(
                    Chord(onset: note.onset, end: note.end, keys: [note.key], velocity: note.velocity))
            }
        }
        var voices: [[Chord]] = []
        for chord in chords.sorted(by: { ($0.onset, $1.end) < ($1.onset, $0.end) }) {
            if let free = voices.firstIndex(where: { ($0.last?.end ?? .zero) <= chord.onset }) {
                voices[free].append(chord)
            } else if voices.count < limit {
                voices.append([chord])
            }
        }
        return voices
    }

    /// - Parameter events: the notes and beats so far. A long note has a beat in each bar it lasts through.
    /// - Throws: ``ExplainedError`` if there are too many.
    func bars(
        of notes: [MIDITabReader.TimedNote], events: inout Int, name: String
    ) throws -> [TabMeasure] {
        var measures = Array(repeating: TabMeasure(), count: starts.count - 1)
        for (number, chords) in voices(of: notes, limit: TabLimits.voices).enumerated() {
            var next = 0
            for bar in measures.indices {
                let (start, end) = (starts[bar], starts[bar + 1])
                var (voice, now, hasNotes) = (TabVoice(), start, false)
                while next < chords.count, chords[next].onset < end {
                    let chord = chords[next]
                    let from = max(chord.onset, start)
                    if from > now { voice.beats += rest(from - now, isInvisible: number > 0) }
                    now = min(chord.end, end)
                    let made = beats(chord, now - from, isContinued: chord.onset < start)
                    try count(made, in: &events, name: name)
                    voice.beats += made
                    hasNotes = true
                    guard chord.end <= end else { break }
                    next += 1
                }
                guard number == 0 || hasNotes else { continue }
                if now < end { voice.beats += rest(end - now, isInvisible: number > 0) }
                while measures[bar].voices.count < number { measures[bar].voices.append(TabVoice()) }
                measures[bar].voices.append(voice)
            }
        }
        return measures
    }

    private func count(_ beats: [TabBeat], in events: inout Int, name: String) throws {
        events += beats.reduce(beats.count) { $0 + $1.notes.count }
        guard events <= TabLimits.events else {
            throw ExplainedError(
                "\(name) has more than \(TabLimits.events) notes and beats; split the piece.")
        }
    }

    private func rest(_ quarters: Fraction, isInvisible: Bool) -> [TabBeat] {
        WrittenLength.several(quarters).map {
            var beat = TabBeat($0)
            beat.invisible = isInvisible
            return beat
        }
    }

    private func beats(_ chord: Chord, _ quarters: Fraction, isContinued: Bool) -> [TabBeat] {
        let names = ["ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"]
        return WrittenLength.several(quarters).enumerated().map { index, written in
            let notes = chord.keys.sorted(by: >).map { TabNote(pitch: $0, tie: isContinued || index > 0) }
            var beat = TabBeat(written, notes: notes)
            beat.dynamic = names[min(max((chord.velocity - 16) / 14, 0), 7)]
            return beat
        }
    }
}
