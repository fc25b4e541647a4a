import Basics
import Platform
import Tablature

/// Reads `score.gpif`, the XML of Guitar Pro 6, 7 and 8, into a tab.
///
/// A GPIF is a list of lists: master bars name bars, bars name voices, voices name beats, and beats name notes and a
/// rhythm, by numbers. The same beat may be named often, so the reader counts what it makes.
///
/// There is no published description; the structure is that of files written by the program.
public enum GPIFReader {
    /// - Throws: ``ExplainedError`` for XML that is damaged, too large, or no GPIF.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> TabReading {
        let root = try XMLNode.parse(bytes, name)
        guard root.name == "GPIF", root.has("MasterBars") else {
            throw ExplainedError("\(name) holds no Guitar Pro score (GPIF); save it again in Guitar Pro.")
        }
        var builder = GPIFBuilder(root)
        try builder.build(name)
        return TabReading(tab: builder.tab, remarks: builder.remarks.remarks(on: builder.tab))
    }
}

/// The tab that grows while a GPIF is read.
struct GPIFBuilder {
    let root: XMLNode
    var tab = Tab()
    var remarks = RemarkCounter()
    private let bars: [String: XMLNode]
    private let voices: [String: XMLNode]
    private let beats: [String: XMLNode]
    private let notes: [String: XMLNode]
    private let rhythms: [String: XMLNode]
    private var events = 0
    private var keptCount = 0
    private static let mostKept = 10 * TabLimits.keptItems

    init(_ root: XMLNode) {
        self.root = root
        func table(_ list: String) -> [String: XMLNode] {
            Dictionary(
                (root[list]?.children ?? []).compactMap { node in node.attributes["id"].map { ($0, node) } },
                uniquingKeysWith: { first, _ in first })
        }
        bars = table("Bars")
        voices = table("Voices")
        beats = table("Beats")
        notes = table("Notes")
        rhythms = table("Rhythms")
    }

    mutating func build(_ name: String) throws(ExplainedError) {
        readTitles()
        let masterBars = (root["MasterBars"]?.children ?? []).filter { $0.name == "MasterBar" }
        guard masterBars.count <= TabLimits.bars else {
            throw ExplainedError("\(name) has \(masterBars.count) bars; at most \(TabLimits.bars) are read.")
        }
        let tracks = tracksInOrderOfBars
        guard tracks.count <= TabLimits.tracks else {
            throw ExplainedError("\(name) has \(tracks.count) tracks; at most \(TabLimits.tracks) are read.")
        }
        var meter = "4/4"
        var key = 0
        for node in masterBars { tab.bars.append(GPIFMasterBar.read(node, &meter, &key, &remarks)) }
        let instruments = tracks.map { GPIFInstrument($0, &remarks) }
        tab.tracks = instruments.map(\.track)
        for (number, node) in masterBars.enumerated() {
            let named = Self.words(node.string("Bars"))
            var next = 0
            for (index, instrument) in instruments.enumerated() {
                var measure = TabMeasure()
                for staff in 1...instrument.staffCount {
                    defer { next += 1 }
                    guard next < named.count, let bar = bars[String(named[next])] else { continue }
                    try read(bar, staff, instrument, into: &measure, name, number)
                }
                tab.tracks[index].bars.append(measure)
            }
        }
        readMasterTrack()
        let lengths = tab.barLengths
        for (number, node) in masterBars.enumerated() {
            for place in GPIFMasterBar.fermatas(node) where place < lengths[number] {
                for track in tab.tracks.indices { tab.tracks[track].bars[number].hold(at: place) }
            }
        }
    }

    /// The tracks in the order in which a master bar names their bars. The master track gives it by their numbers.
    private var tracksInOrderOfBars: [XMLNode] {
        let listed = (root["Tracks"]?.children ?? []).filter { $0.name == "Track" }
        var rest = listed
        var ordered: [XMLNode] = []
        for id in Self.words(root["MasterTrack"]?.string("Tracks")) {
            guard let place = rest.firstIndex(where: { $0.attributes["id"] == String(id) }) else {
                return listed
            }
            ordered.append(rest.remove(at: place))
        }
        return ordered + rest
    }

    // MARK: Texts and tempi

    private mutating func readTitles() {
        guard let score = root["Score"] else { return }
        func text(_ name: String) -> String {
            String((score.string(name) ?? "").prefix(TabLimits.textCharacters))
        }
        (tab.title, tab.subtitle, tab.artist) = (text("Title"), text("SubTitle"), text("Artist"))
        (tab.album, tab.copyright) = (text("Album"), text("Copyright"))
        (tab.lyricist, tab.composer) = (text("Words"), text("Music"))
        let both = text("WordsAndMusic")
        if tab.composer.isEmpty { tab.composer = both }
        tab.notes = [text("Instructions"), text("Notices")].filter { !$0.isEmpty }.joined(separator: "\n")
        if let tabber = score.string("Tabber") {
            tab.kept.append(KeptItem("transcriber", String(tabber.prefix(TabLimits.textCharacters))))
        }
    }

    private mutating func readMasterTrack() {
        guard let master = root["MasterTrack"] else { return }
        if master.has("Anacrusis"), let first = tab.tracks.map({ Self.length(of: $0.bars.first) }).max(),
            first > .zero, let whole = tab.barLengths.first, first < whole
        {
            tab.bars[0].length = first
        }
        let lengths = tab.barLengths
        for automation in master["Automations"]?.children ?? [] {
            guard automation.string("Type") == "Tempo" else {
                remarks.leaveOut("automation \(automation.string("Type") ?? "")")
                continue
            }
            let numbers = Self.words(automation.string("Value")).compactMap { Double($0) }.filter(\.isFinite)
            guard let bar = automation.int("Bar"), bar >= 0, bar < tab.bars.count, let beats = numbers.first
            else { continue }
            // The second number is the unit: an eighth, a quarter, a dotted quarter, a half, a dotted half.
            let units = [1: 0.5, 2: 1, 3: 1.5, 4: 2, 5: 3]
            let unit = units[numbers.count > 1 ? Int(min(max(numbers[1], 0), 9)) : 2] ?? 1
            let tempo = min(max(beats * unit, 1), 1_000)
            let part = min(max(automation.double("Position") ?? 0, 0), 1)
            let text = automation.string("Text").map { String($0.prefix(200)) }
            if bar == 0, part == 0, tab.tempo == nil { tab.tempo = tempo }
            if bar > 0 || part > 0 || text != nil {
                let at = lengths[bar] * Fraction(rounding: part)
                tab.bars[bar].tempos.append(TempoChange(at: at, tempo: tempo, text: text))
            }
            if automation.string("Linear") == "true" {
                tab.bars[bar].kept.append(KeptItem("gradual tempo", "to \(tempo)"))
            }
        }
        let known = ["Automations", "Anacrusis", "Tracks", "RSE"]
        for node in master.children where !known.contains(node.name) { remarks.leaveOut(node.name) }
        for other in root.children
        where other.name.hasSuffix("Track") && other.name != "MasterTrack" && !other.children.isEmpty {
            remarks.leaveOut(other.name)
        }
    }

    private static func length(of measure: TabMeasure?) -> Fraction {
        measure?.voices.map { $0.beats.reduce(.zero) { $0 + $1.quarters } }.max() ?? .zero
    }

    // MARK: Bars

    private mutating func read(
        _ bar: XMLNode, _ staff: Int, _ instrument: GPIFInstrument, into measure: inout TabMeasure,
        _ name: String,
        _ number: Int
    ) throws(ExplainedError) {
        try countKept(bar.children.count, name)
        for node in bar.children {
            switch node.name {
            case "Voices", "XProperties": break
            case "Clef":
                if staff == 1 { measure.clef = Self.clefs[node.text] ?? String(node.text.prefix(40)) }
            case "SimileMark", "Ottavia":
                measure.kept.append(KeptItem(node.name, String(node.text.prefix(200))))
            default: measure.kept.append(KeptItem("Bar \(node.name)", node.summary))
            }
        }
        var found: [TabVoice] = []
        for id in Self.words(bar.string("Voices")).prefix(8) {
            guard id != "-1", let voice = voices[String(id)] else {
                found.append(TabVoice(staff: staff))
                continue
            }
            var content = TabVoice(staff: staff)
            for beat in Self.words(voice.string("Beats")) {
                guard let node = beats[String(beat)] else { continue }
                content.beats.append(try read(node, staff, instrument, name))
            }
            found.append(content)
        }
        while let last = found.last, last.beats.isEmpty { found.removeLast() }
        measure.voices += found
    }

    private mutating func read(
        _ node: XMLNode, _ staff: Int, _ instrument: GPIFInstrument, _ name: String
    ) throws(ExplainedError) -> TabBeat {
        let reference = node["Rhythm"]?.attributes["ref"]
        var beat = GPIFBeat.read(
            node, rhythm: reference.flatMap { rhythms[$0] }, chords: instrument.chordNames, &remarks)
        for id in Self.words(node.string("Notes")).prefix(64) {
            guard let note = notes[String(id)],
                let read = GPIFNote.read(note, staff: staff, instrument, &beat, &remarks)
            else { continue }
            beat.notes.append(read)
        }
        // High strings first, as in the other formats.
        beat.notes.sort { ($0.string ?? 0) < ($1.string ?? 0) }
        try countKept(beat.kept.count + beat.notes.reduce(0) { $0 + $1.kept.count }, name)
        events += 1 + beat.notes.count
        guard events <= TabLimits.events else {
            throw ExplainedError(
                "\(name) has more than \(TabLimits.events) notes and beats; split the piece.")
        }
        return beat
    }

    /// Counts what is carried along, because a file may name the same bar or beat again and again.
    private mutating func countKept(_ count: Int, _ name: String) throws(ExplainedError) {
        keptCount += count
        guard keptCount <= Self.mostKept else {
            throw ExplainedError("\(name) has too much that is not understood; split the piece.")
        }
    }

    private static let clefs = [
        "G2": "treble", "F4": "bass", "C3": "alto", "C4": "tenor", "Neutral": "percussion",
    ]

    static func words(_ text: String?) -> [Substring] {
        (text ?? "").split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    }
}
