import Tablature

/// The element `notations` of a note.
enum MusicXMLNotationWriter {
    /// - Parameter losses: gets the names of parts that MusicXML cannot represent, or that are not written here.
    static func notations(
        _ note: TabNote, _ beat: TabBeat, isFirst: Bool, startsTie: Bool, falls: Bool,
        _ losses: inout Set<String>
    ) -> String {
        let play = note.play
        var parts = ""
        if note.tie { parts += "<tied type=\"stop\"/>" }
        if startsTie { parts += "<tied type=\"start\"/>" }
        if play.letRing { parts += "<tied type=\"let-ring\"/>" }
        for slide in play.slides {
            switch slide {
            case .legato: parts += "<slide type=\"start\"/>"
            case .shift: parts += "<glissando type=\"start\"/>"
            default: break
            }
        }
        parts += ornaments(play, beat, isFirst)
        parts += technical(note, beat, isFirst, falls)
        parts += articulations(play)
        if isFirst, let dynamic = beat.dynamic, known.contains(dynamic) {
            parts += "<dynamics><\(dynamic)/></dynamics>"
        }
        if isFirst, beat.play.fermata { parts += "<fermata/>" }
        switch beat.play.stroke {
        case .arpeggioUp?: parts += "<arpeggiate direction=\"up\"/>"
        case .arpeggioDown?: parts += "<arpeggiate direction=\"down\"/>"
        case nil: break
        default: losses.insert("brush strokes")
        }
        noteLosses(play, beat, &losses)
        return parts.isEmpty ? "" : "<notations>\(parts)</notations>"
    }

    private static let known: Set = [
        "ppp", "pp", "p", "mp", "mf", "f", "ff", "fff", "pppp", "ffff", "sf", "sfz", "fp",
    ]

    private static func ornaments(_ play: NoteTechniques, _ beat: TabBeat, _ isFirst: Bool) -> String {
        var parts = ""
        if play.trill != nil { parts += "<trill-mark/>" }
        if play.vibrato != nil { parts += "<wavy-line type=\"start\"/><wavy-line type=\"stop\"/>" }
        switch play.ornament {
        case .mordent?: parts += "<mordent/>"
        case .invertedMordent?: parts += "<inverted-mordent/>"
        case .turn?: parts += "<turn/>"
        case .invertedTurn?: parts += "<inverted-turn/>"
        case nil: break
        }
        if isFirst, let picking = beat.play.tremoloPicking, picking.numerator == 1, picking.denominator >= 8 {
            parts +=
                "<tremolo type=\"single\">\(min(8, picking.denominator.trailingZeroBitCount - 2))</tremolo>"
        }
        return parts.isEmpty ? "" : "<ornaments>\(parts)</ornaments>"
    }

    private static func technical(
        _ note: TabNote, _ beat: TabBeat, _ isFirst: Bool, _ falls: Bool
    ) -> String {
        let play = note.play
        var parts = ""
        if isFirst, let pick = beat.play.pick { parts += pick == .up ? "<up-bow/>" : "<down-bow/>" }
        if let harmonic = play.harmonic {
            parts += "<harmonic>\(harmonic.kind == .natural ? "<natural/>" : "<artificial/>")</harmonic>"
        }
        if let finger = play.leftFinger { parts += "<fingering>\(XMLText.escaped(finger))</fingering>" }
        if let finger = play.rightFinger { parts += "<pluck>\(XMLText.escaped(finger))</pluck>" }
        if let string = note.string, let fret = note.fret {
            parts += "<fret>\(fret)</fret><string>\(string)</string>"
        }
        if play.hammer {
            parts +=
                falls ? "<pull-off type=\"start\">P</pull-off>" : "<hammer-on type=\"start\">H</hammer-on>"
        }
        if play.tap { parts += "<tap/>" }
        if let highest = play.bend.max(by: { $0.semitones < $1.semitones }) {
            parts += "<bend><bend-alter>\(highest.semitones.value)</bend-alter></bend>"
        }
        return parts.isEmpty ? "" : "<technical>\(parts)</technical>"
    }

    private static func articulations(_ play: NoteTechniques) -> String {
        var parts = ""
        switch play.accent {
        case .accent?: parts += "<accent/>"
        case .heavy?: parts += "<strong-accent/>"
        case .tenuto?: parts += "<tenuto/>"
        case nil: break
        }
        if play.staccato { parts += "<staccato/>" }
        let slides: [Slide: String] = [
            .inFromBelow: "scoop", .inFromAbove: "plop", .outUp: "doit", .outDown: "falloff",
        ]
        for slide in play.slides { if let name = slides[slide] { parts += "<\(name)/>" } }
        return parts.isEmpty ? "" : "<articulations>\(parts)</articulations>"
    }

    private static func noteLosses(_ play: NoteTechniques, _ beat: TabBeat, _ losses: inout Set<String>) {
        if play.palmMute { losses.insert("palm mute") }
        if play.bend.count > 2 { losses.insert("the form of bends (their height is kept)") }
        if let harmonic = play.harmonic, harmonic.kind != .natural {
            losses.insert("kinds of artificial harmonics")
        }
        if play.trill?.fret != nil || play.trill?.pitch != nil { losses.insert("second notes of trills") }
        let techniques = beat.play
        if techniques.tap || techniques.slap || techniques.pop {
            losses.insert("tapping, slapping and popping")
        }
        if !techniques.whammy.isEmpty || techniques.vibrato != nil { losses.insert("tremolo arm") }
        if techniques.fade != nil { losses.insert("fades") }
        if techniques.rasgueado { losses.insert("rasgueado") }
        if !beat.kept.isEmpty { losses.insert("kept things of beats") }
    }
}
