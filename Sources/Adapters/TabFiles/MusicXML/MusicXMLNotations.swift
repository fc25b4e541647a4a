import Platform
import Tablature

extension TabNote {
    /// Keeps a tie that is drawn and does not sound, until `tie` says otherwise.
    fileprivate mutating func hasDrawnTie() {
        if !kept.contains(where: { $0.name == "tied" }) { kept.append(KeptItem("tied")) }
    }
}

/// Reads the playing techniques of a MusicXML note.
enum MusicXMLNotations {
    static func read(
        _ node: XMLNode, into note: inout TabNote, _ beat: inout TabBeat, _ remarks: inout RemarkCounter
    ) {
        for child in node.children {
            switch child.name {
            case "tie": if child.attributes["type"] == "stop" { note.tie = true }
            case "notations": for each in child.children { readNotation(each, &note, &beat, &remarks) }
            case "notehead":
                if child.text == "x" || child.text == "cross" { note.play.dead = true }
                if child.attributes["parentheses"] == "yes" { note.play.ghost = true }
                if !["x", "cross", "normal", "none", ""].contains(child.text) {
                    note.kept.append(KeptItem("notehead", String(child.text.prefix(60))))
                }
            case "lyric":
                let words = child.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
                if beat.lyrics.count < 8, !words.isEmpty { beat.lyrics.append(String(words.prefix(200))) }
            case "grace", "chord", "pitch", "unpitched", "rest", "cue", "duration", "voice", "type", "dot",
                "time-modification", "staff", "instrument", "level", "footnote":
                break
            default: remarks.leaveOut("note \(child.name.prefix(40))")
            }
        }
        if node.has("tie") { note.kept.removeAll { $0.name == "tied" } }
    }

    private static func readNotation(
        _ node: XMLNode, _ note: inout TabNote, _ beat: inout TabBeat, _ remarks: inout RemarkCounter
    ) {
        let isStart = (node.attributes["type"] ?? "start") == "start"
        switch node.name {
        case "tied":
            // The drawn tie; the sounding one is the element `tie`.
            if node.attributes["type"] == "let-ring" { note.play.letRing = true } else { note.hasDrawnTie() }
        case "technical": for each in node.children { readTechnical(each, &note, &beat) }
        case "articulations": for each in node.children { readArticulation(each, &note, &remarks) }
        case "ornaments": for each in node.children { readOrnament(each, &note, &beat, &remarks) }
        case "dynamics": beat.dynamic = node.children.first.map { String($0.name.prefix(12)) }
        case "fermata": beat.play.fermata = true
        case "arpeggiate":
            beat.play.stroke = node.attributes["direction"] == "down" ? .arpeggioDown : .arpeggioUp
        case "slide", "glissando":
            if isStart, note.play.slides.count < 8 {
                note.play.slides.append(node.name == "slide" ? .legato : .shift)
            }
        case "slur", "tuplet", "non-arpeggiate", "footnote", "level", "accidental-mark":
            remarks.leaveOut(node.name)
        default: note.kept.append(KeptItem("notation \(node.name.prefix(40))", node.summary))
        }
    }

    private static func readTechnical(_ node: XMLNode, _ note: inout TabNote, _ beat: inout TabBeat) {
        switch node.name {
        case "string", "fret": break
        case "hammer-on", "pull-off": if node.attributes["type"] == "start" { note.play.hammer = true }
        case "tap": note.play.tap = true
        case "up-bow", "down-bow": beat.play.pick = node.name == "up-bow" ? .up : .down
        case "fingering": note.play.leftFinger = node.text.isEmpty ? nil : String(node.text.prefix(4))
        case "pluck": note.play.rightFinger = node.text.isEmpty ? nil : String(node.text.prefix(4))
        case "harmonic":
            note.play.harmonic = Harmonic(node.has("artificial") ? .artificial : .natural)
        case "bend":
            let height = Fraction(rounding: min(max(node.double("bend-alter") ?? 0, -24), 24))
            if note.play.bend.isEmpty {
                let start: Fraction = node.has("pre-bend") ? height : .zero
                note.play.bend = [BendPoint(at: .zero, semitones: start)]
            }
            if note.play.bend.count < 16 {
                let part = note.play.bend.count
                note.play.bend.append(
                    BendPoint(at: Fraction(part, part + 1), semitones: node.has("release") ? .zero : height))
            }
        default: note.kept.append(KeptItem("technical \(node.name.prefix(40))", node.summary))
        }
    }

    private static func readArticulation(
        _ node: XMLNode, _ note: inout TabNote, _ remarks: inout RemarkCounter
    ) {
        switch node.name {
        case "accent": note.play.accent = .accent
        case "strong-accent": note.play.accent = .heavy
        case "tenuto": note.play.accent = .tenuto
        case "staccato", "staccatissimo", "spiccato": note.play.staccato = true
        case "detached-legato": (note.play.staccato, note.play.accent) = (true, .tenuto)
        case "scoop", "plop", "doit", "falloff":
            let slides: [String: Slide] = [
                "scoop": .inFromBelow, "plop": .inFromAbove, "doit": .outUp, "falloff": .outDown,
            ]
            if note.play.slides.count < 8 { note.play.slides.append(slides[node.name]!) }
        default: note.kept.append(KeptItem("articulation \(node.name.prefix(40))", node.summary))
        }
    }

    private static func readOrnament(
        _ node: XMLNode, _ note: inout TabNote, _ beat: inout TabBeat, _ remarks: inout RemarkCounter
    ) {
        switch node.name {
        case "mordent": note.play.ornament = .mordent
        case "inverted-mordent": note.play.ornament = .invertedMordent
        case "turn", "delayed-turn": note.play.ornament = .turn
        case "inverted-turn", "delayed-inverted-turn": note.play.ornament = .invertedTurn
        case "wavy-line": note.play.vibrato = .slight
        case "trill-mark": note.play.trill = Trill(value: Fraction(1, 32))
        case "tremolo":
            let strokes = wholeNumber(node.text) ?? 3
            if (node.attributes["type"] ?? "single") == "single", (1...8).contains(strokes) {
                beat.play.tremoloPicking = Fraction(1, 4 << strokes)
            } else {
                note.kept.append(KeptItem("tremolo", node.summary))
            }
        case "accidental-mark": remarks.leaveOut("accidental-mark")
        default: note.kept.append(KeptItem("ornament \(node.name.prefix(40))", node.summary))
        }
    }
}
