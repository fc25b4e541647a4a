import Platform
import Tablature

/// A note of a GPIF.
enum GPIFNote {
    /// - Returns: nil for a note that has neither a string nor a pitch.
    static func read(
        _ node: XMLNode, staff: Int, _ instrument: GPIFInstrument, _ beat: inout TabBeat,
        _ remarks: inout RemarkCounter
    ) -> TabNote? {
        var note = TabNote()
        let properties = Dictionary(
            (node["Properties"]?.children ?? []).compactMap { each in
                each.attributes["name"].map { ($0, each) }
            },
            uniquingKeysWith: { first, _ in first })
        guard place(&note, properties, node, staff: staff, instrument) else {
            remarks.leaveOut("Note without string and pitch")
            return nil
        }
        for child in node.children { readElement(child, into: &note, &remarks) }
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
            readProperty(name, property, into: &note, &beat, &remarks)
        }
        readBend(properties, into: &note)
        readHarmonic(properties, into: &note)
        return note
    }

    // MARK: Pitch

    private static func place(
        _ note: inout TabNote, _ properties: [String: XMLNode], _ node: XMLNode, staff: Int,
        _ instrument: GPIFInstrument
    ) -> Bool {
        let strings = instrument.track.staff(staff)
        let midi = properties["Midi"]?.int("Number").flatMap { (0...127).contains($0) ? $0 : nil }
        let fret = properties["Fret"]?.int("Fret")
        // Strings are counted from the lowest.
        let string = properties["String"]?.int("String").map { strings.strings.count - $0 }
        if let string, let fret, (1...max(strings.strings.count, 1)).contains(string),
            (0...127).contains(fret)
        {
            (note.string, note.fret) = (string, fret)
        }
        if instrument.track.percussion {
            let articulation = node.int("InstrumentArticulation") ?? -1
            let key =
                instrument.drumKeys.indices.contains(articulation) ? instrument.drumKeys[articulation] : -1
            note.pitch = (0...127).contains(key) ? key : sixthVersionDrum(properties) ?? midi ?? fret
            note.pitch = note.pitch.map { min(max($0, 0), 127) }
            return note.pitch != nil
        }
        if let string = note.string, let fret = note.fret, fret <= TabLimits.frets,
            let pitch = strings.pitch(string: string, fret: fret), (0...127).contains(pitch)
        {
            return true
        }
        (note.string, note.fret) = (nil, nil)
        note.pitch =
            midi ?? sixthVersionPitch(properties) ?? concertPitch(properties["ConcertPitch"]?["Pitch"])
        return note.pitch != nil
    }

    /// Guitar Pro 6 gives an octave and a tone to instruments without strings.
    private static func sixthVersionPitch(_ properties: [String: XMLNode]) -> Int? {
        guard let octave = properties["Octave"]?.int("Number"), let tone = properties["Tone"]?.int("Step"),
            (0...10).contains(octave), (0...127).contains(octave * 12 + tone)
        else { return nil }
        return octave * 12 + tone
    }

    /// Guitar Pro counts octaves as MIDI does, from C0 = 0: A4 is 57.
    private static func concertPitch(_ node: XMLNode?) -> Int? {
        guard let node, let step = node.string("Step"), let octave = node.int("Octave"),
            (-1...10).contains(octave),
            let tone = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11][step]
        else { return nil }
        let accidental = ["#": 1, "b": -1, "x": 2, "bb": -2][node.string("Accidental") ?? ""] ?? 0
        let pitch = octave * 12 + tone + accidental
        return (0...127).contains(pitch) ? pitch : nil
    }

    /// General MIDI keys of Guitar Pro 6's drums: rows are elements, columns variations.
    private static let sixthVersionDrums = [
        [36, 36, 36], [38, 38, 37], [56, 56, 56], [56, 56, 56], [56, 56, 56], [43, 43, 43], [45, 45, 45],
        [47, 47, 47], [48, 48, 48], [50, 50, 50], [42, 46, 46], [44, 44, 44], [57, 57, 57], [49, 49, 49],
        [55, 55, 55], [51, 51, 53], [52, 52, 52],
    ]

    private static func sixthVersionDrum(_ properties: [String: XMLNode]) -> Int? {
        guard let element = properties["Element"]?.int("Element"), sixthVersionDrums.indices.contains(element)
        else { return nil }
        let variation = properties["Variation"]?.int("Variation") ?? 0
        return sixthVersionDrums[element][min(max(variation, 0), 2)]
    }

    // MARK: Techniques

    private static func readElement(
        _ child: XMLNode, into note: inout TabNote, _ remarks: inout RemarkCounter
    ) {
        switch child.name {
        case "Properties", "InstrumentArticulation": break
        case "Tie": note.tie = child.attributes["destination"] == "true"
        case "LetRing": note.play.letRing = true
        case "AntiAccent": note.play.ghost = true
        case "Vibrato": note.play.vibrato = child.text == "Wide" ? .wide : .slight
        case "Accent":
            let flags = wholeNumber(child.text) ?? 0
            if flags & 1 != 0 { note.play.staccato = true }
            note.play.accent =
                flags & 4 != 0 ? .heavy : flags & 8 != 0 ? .accent : flags & 16 != 0 ? .tenuto : nil
        case "Trill":
            let value = wholeNumber(child.text) ?? 0
            note.play.trill = Trill(pitch: min(max(value, 0), 127), value: Fraction(1, 16))
        case "Ornament":
            let known: [String: Ornament] = [
                "UpperMordent": .mordent, "LowerMordent": .invertedMordent, "Turn": .turn,
                "InvertedTurn": .invertedTurn,
            ]
            if let ornament = known[child.text] { note.play.ornament = ornament } else { keep(child, &note) }
        case "LeftFingering":
            note.play.leftFinger =
                ["Open": "0", "P": "T", "I": "1", "M": "2", "A": "3", "C": "4"][child.text]
        case "RightFingering": note.play.rightFinger = String(child.text.lowercased().prefix(2))
        case "Accidental", "ShowStringNumber", "XProperties": remarks.leaveOut("Note \(child.name)")
        default: keep(child, &note)
        }
    }

    private static func keep(_ child: XMLNode, _ note: inout TabNote) {
        note.kept.append(KeptItem("Note \(child.name)", child.summary))
    }

    private static func readProperty(
        _ name: String, _ property: XMLNode, into note: inout TabNote, _ beat: inout TabBeat,
        _ remarks: inout RemarkCounter
    ) {
        switch name {
        case "HopoOrigin": note.play.hammer = true
        case "Muted": note.play.dead = true
        case "PalmMuted": note.play.palmMute = true
        case "LeftHandTapped": note.play.tap = true
        case "Tapped": beat.play.tap = true
        case "Slide":
            let flags = property.int("Flags") ?? 0
            let kinds: [(Int, Slide)] = [
                (1, .shift), (2, .legato), (4, .outDown), (8, .outUp), (16, .inFromBelow), (32, .inFromAbove),
            ]
            note.play.slides = kinds.filter { flags & $0.0 != 0 }.map(\.1)
            if flags & ~63 != 0 { note.kept.append(KeptItem("Note Slide", "\(flags)")) }
        case "Midi", "Fret", "String", "ConcertPitch", "TransposedPitch", "HopoDestination", "Element",
            "Variation",
            "Octave", "Tone":
            break
        case _ where name.hasPrefix("Bend") || name.hasPrefix("Harmonic"): break
        default: note.kept.append(KeptItem("Note \(name)", property.summary))
        }
    }

    private static func readBend(_ properties: [String: XMLNode], into note: inout TabNote) {
        guard properties["Bended"] != nil else { return }
        note.play.bend = GPIFBeat.points { properties["Bend\($0)"]?.double("Float") }
    }

    private static func readHarmonic(_ properties: [String: XMLNode], into note: inout TabNote) {
        guard let type = properties["HarmonicType"]?.string("HType"), type != "NoHarmonic" else { return }
        let kinds: [String: Harmonic.Kind] = [
            "Natural": .natural, "Artificial": .artificial, "Pinch": .pinch, "Tap": .tap, "Semi": .semi,
            "Feedback": .feedback,
        ]
        let fret = properties["HarmonicFret"]?.double("HFret").map { Fraction(rounding: min(max($0, 0), 48)) }
        note.play.harmonic = Harmonic(kinds[type] ?? .natural, fret: fret)
    }
}
