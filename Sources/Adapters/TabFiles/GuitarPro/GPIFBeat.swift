import Platform
import Tablature

/// A beat of a GPIF, without its notes.
enum GPIFBeat {
    static func read(
        _ node: XMLNode, rhythm: XMLNode?, chords: [String: String], _ remarks: inout RemarkCounter
    ) -> TabBeat {
        var beat = TabBeat()
        if let rhythm { readRhythm(rhythm, into: &beat) }
        for child in node.children {
            let text = String(child.text.prefix(TabLimits.textCharacters))
            switch child.name {
            case "Rhythm", "Notes": break
            case "Dynamic": beat.dynamic = text.lowercased()
            case "FreeText": beat.text = text
            case "GraceNotes": beat.grace = text == "OnBeat" ? .on : .before
            case "Tremolo":
                // A part of a quarter: 1/2 is eighths.
                beat.play.tremoloPicking = Fraction(text).map { $0 * Fraction(1, 4) }
            case "Fadding":
                beat.play.fade = text == "FadeOut" ? .out : text == "VolumeSwell" ? .swell : .in
            case "Chord": beat.chord = chords[text] ?? text
            case "Arpeggio": beat.play.stroke = text == "Up" ? .arpeggioUp : .arpeggioDown
            case "Ottavia":
                beat.play.ottava = ["8va": 1, "15ma": 2, "8vb": -1, "15mb": -2][text]
            case "Whammy": beat.play.whammy = points(child)
            case "Lyrics":
                let lines = child.children.prefix(5).map { String($0.text.prefix(200)) }
                if lines.contains(where: { !$0.isEmpty }) { beat.lyrics = lines }
            case "Properties": readProperties(child, into: &beat, &remarks)
            case "XProperties", "TransposedPitchStemOrientation", "ConcertPitchStemOrientation",
                "UserTransposedPitchStemOrientation", "TransposedPitchStemOrientationUserDefined",
                "UserConcertPitchStemOrientation", "ConcertPitchStemOrientationUserDefined", "Variation":
                remarks.leaveOut("Beat \(child.name)")
            default: beat.kept.append(KeptItem("Beat \(child.name)", child.summary))
            }
        }
        return beat
    }

    // MARK: Lengths

    private static let values: [String: Fraction] = [
        "Long": Fraction(4), "DoubleWhole": Fraction(2), "Whole": Fraction(1), "Half": Fraction(1, 2),
        "Quarter": Fraction(1, 4), "Eighth": Fraction(1, 8), "16th": Fraction(1, 16), "32nd": Fraction(1, 32),
        "64th": Fraction(1, 64), "128th": Fraction(1, 128), "256th": Fraction(1, 256),
    ]

    private static func readRhythm(_ node: XMLNode, into beat: inout TabBeat) {
        if let value = values[node.string("NoteValue") ?? ""], value != Fraction(1, 4) { beat.value = value }
        if let dots = node["AugmentationDot"] {
            beat.dots = min(max(dots.intAttribute("count") ?? 1, 0), 4)
        }
        func ratio(_ name: String) -> [Int]? {
            guard let tuplet = node[name],
                let count = tuplet.intAttribute("num") ?? tuplet.int("Num"),
                let time = tuplet.intAttribute("den") ?? tuplet.int("Den"),
                (1...64).contains(count), (1...64).contains(time)
            else { return nil }
            return [count, time]
        }
        if let outer = ratio("PrimaryTuplet") {
            let inner = ratio("SecondaryTuplet") ?? [1, 1]
            beat.tuplet = [outer[0] * inner[0], outer[1] * inner[1]]
        }
    }

    // MARK: Techniques

    private static func readProperties(
        _ node: XMLNode, into beat: inout TabBeat, _ remarks: inout RemarkCounter
    ) {
        var whammy: [String: Double] = [:]
        for property in node.children where property.name == "Property" {
            let name = property.attributes["name"] ?? ""
            let direction = property.string("Direction")
            switch name {
            case "Brush": beat.play.stroke = direction == "Up" ? .up : .down
            case "PickStroke": beat.play.pick = direction == "Up" ? .up : .down
            case "Popped": beat.play.pop = true
            case "Slapped": beat.play.slap = true
            case "Rasgueado": beat.play.rasgueado = true
            case "VibratoWTremBar":
                beat.play.vibrato = property.string("Strength") == "Slight" ? .slight : .wide
            case "WhammyBar", "WhammyBarExtend": break
            case _ where name.hasPrefix("WhammyBar"):
                whammy[String(name.dropFirst(9))] = property.double("Float") ?? 0
            case "PrimaryPickupTone", "PrimaryPickupVolume": remarks.leaveOut("Beat \(name)")
            default: beat.kept.append(KeptItem("Beat \(name)", property.summary))
            }
        }
        if !whammy.isEmpty { beat.play.whammy = points { whammy[$0] } }
    }

    private static func points(_ node: XMLNode) -> [BendPoint] {
        points { name in
            let attribute = name.prefix(1).lowercased() + name.dropFirst()
            return node.attributes[attribute].flatMap { Double($0) }
        }
    }

    /// Points of a bend or of the tremolo arm: offsets in percent, values of which 50 are a semitone.
    static func points(_ value: (String) -> Double?) -> [BendPoint] {
        func point(_ offset: Double, _ height: Double) -> BendPoint {
            BendPoint(at: Fraction(rounding: offset / 100), semitones: Fraction(rounding: height / 50))
        }
        var result = [point(value("OriginOffset") ?? 0, value("OriginValue") ?? 0)]
        if let middle = value("MiddleValue") {
            let first = value("MiddleOffset1") ?? value("MiddleOffset2")
            if let first { result.append(point(first, middle)) }
            if let second = value("MiddleOffset2"), second != first { result.append(point(second, middle)) }
        }
        result.append(point(value("DestinationOffset") ?? 100, value("DestinationValue") ?? 0))
        return result
    }
}
