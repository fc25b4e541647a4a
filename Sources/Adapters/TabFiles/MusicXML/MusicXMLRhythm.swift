import Platform
import Tablature

/// The written length of a note in MusicXML.
enum MusicXMLRhythm {
    static let types: [(name: String, value: Fraction)] = [
        ("maxima", Fraction(8)), ("long", Fraction(4)), ("breve", Fraction(2)), ("whole", Fraction(1)),
        ("half", Fraction(1, 2)), ("quarter", Fraction(1, 4)), ("eighth", Fraction(1, 8)),
        ("16th", Fraction(1, 16)), ("32nd", Fraction(1, 32)), ("64th", Fraction(1, 64)),
        ("128th", Fraction(1, 128)), ("256th", Fraction(1, 256)), ("512th", Fraction(1, 512)),
        ("1024th", Fraction(1, 1_024)),
    ]

    static func read(_ node: XMLNode, length: Fraction, isGrace: Bool, into beat: inout TabBeat) {
        let type = types.first { $0.name == node.string("type") }?.value
        if isGrace {
            let slash = node["grace"]?.attributes
            beat.grace = slash?["steal-time-following"] != nil ? .on : .before
            beat.value = type ?? Fraction(1, 8)
            return
        }
        guard let type else {
            beat.write(WrittenLength.nearest(length))
            return
        }
        var written = TabBeat()
        written.value = type
        written.dots = min(node.children.count { $0.name == "dot" }, 4)
        if let change = node["time-modification"], let actual = change.int("actual-notes"),
            let normal = change.int("normal-notes"), (1...4_096).contains(actual),
            (1...4_096).contains(normal)
        {
            written.tuplet = [actual, normal]
        }
        (beat.value, beat.dots, beat.tuplet) = (written.value, written.dots, written.tuplet)
        if beat.value == Fraction(1, 4) { beat.value = nil }
        if written.writtenQuarters != length { beat.length = length }
    }
}
