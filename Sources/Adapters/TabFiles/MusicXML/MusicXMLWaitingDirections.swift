import Platform
import Tablature

/// Words, dynamics and chord names that wait for the next beat; tempi, marks and jumps go into the bar at once.
struct MusicXMLWaitingDirections {
    var chord: String?
    private var words: [String] = []
    private var dynamic: String?

    mutating func read(
        _ node: XMLNode, at cursor: Fraction, _ state: MusicXMLPartState, _ isFirst: Bool,
        _ bar: inout TabBar,
        _ remarks: inout RemarkCounter
    ) {
        let offset = node["offset"]?.text
        if offset != nil { remarks.leaveOut("offset of a direction") }
        let sound = node.name == "sound" ? node : node["sound"]
        var tempo = sound?.attributes["tempo"].flatMap { Double($0) }
        for type in node.children where type.name == "direction-type" {
            for each in type.children { readType(each, &tempo, isFirst, &bar, &remarks) }
        }
        if let tempo, tempo.isFinite, tempo > 0, bar.tempos.count < 64,
            !bar.tempos.contains(where: { $0.at == cursor })
        {
            bar.tempos.append(TempoChange(at: cursor, tempo: min(max(tempo, 1), 1_000)))
        }
        guard isFirst, let sound else { return }
        let jumps = [
            "dacapo": "daCapo", "dalsegno": "dalSegno", "tocoda": "toCoda", "segno": "segno", "coda": "coda",
            "fine": "fine",
        ]
        for (name, direction) in jumps.sorted(by: { $0.key < $1.key })
        where sound.attributes[name] != nil && !bar.directions.contains(direction) {
            bar.directions.append(direction)
        }
    }

    private mutating func readType(
        _ node: XMLNode, _ tempo: inout Double?, _ isFirst: Bool, _ bar: inout TabBar,
        _ remarks: inout RemarkCounter
    ) {
        switch node.name {
        case "words": if !node.text.isEmpty, words.count < 8 { words.append(String(node.text.prefix(200))) }
        case "dynamics": dynamic = node.children.first.map { String($0.name.prefix(12)) }
        case "rehearsal":
            if isFirst, bar.section == nil, !node.text.isEmpty { bar.section = String(node.text.prefix(200)) }
        case "segno", "coda":
            if isFirst, !bar.directions.contains(node.name) { bar.directions.append(node.name) }
        case "metronome":
            guard tempo == nil, let count = node.string("per-minute").flatMap({ Double($0) }), count.isFinite,
                let unit = MusicXMLRhythm.types.first(where: { $0.name == node.string("beat-unit") })?.value
            else {
                if tempo == nil { bar.kept.append(KeptItem("metronome", node.summary)) }
                return
            }
            tempo = count * (unit * Fraction(4)).value * (node.has("beat-unit-dot") ? 1.5 : 1)
        default:
            if bar.kept.count < 64 {
                bar.kept.append(KeptItem("direction \(node.name.prefix(40))", node.summary))
            }
        }
    }

    mutating func give(to beat: inout TabBeat) {
        if !words.isEmpty {
            beat.text = String(words.joined(separator: " ").prefix(TabLimits.textCharacters))
        }
        if let dynamic, beat.dynamic == nil { beat.dynamic = dynamic }
        if let chord { beat.chord = chord }
        (words, dynamic, chord) = ([], nil, nil)
    }

    /// A chord name such as `F#m7/C#`.
    static func chordName(_ node: XMLNode) -> String? {
        func tone(_ node: XMLNode?, _ prefix: String) -> String {
            guard let node, let step = node.string("\(prefix)-step") else { return "" }
            let alter = node.double("\(prefix)-alter") ?? 0
            return step + (alter >= 1 ? "#" : alter <= -1 ? "b" : "")
        }
        let kind = node["kind"]
        let short = [
            "major": "", "minor": "m", "augmented": "aug", "diminished": "dim", "dominant": "7",
            "major-seventh": "maj7", "minor-seventh": "m7", "diminished-seventh": "dim7",
            "half-diminished": "m7b5",
            "major-sixth": "6", "minor-sixth": "m6", "suspended-second": "sus2", "suspended-fourth": "sus4",
            "dominant-ninth": "9", "major-ninth": "maj9", "minor-ninth": "m9", "power": "5", "none": "N.C.",
        ]
        let text = kind?.attributes["text"] ?? kind.map { short[$0.text] ?? $0.text } ?? ""
        let bass = tone(node["bass"], "bass")
        let name = tone(node["root"], "root") + text + (bass.isEmpty ? "" : "/" + bass)
        return name.isEmpty ? nil : String(name.prefix(80))
    }
}
