/// What the broker is told of the concert: plain texts and numbers.
public struct BrokerState: Hashable, Sendable {
    /// From 1; 0 before the first piece.
    public var piece = 0
    public var pieceName = ""
    /// The number printed in the score.
    public var printed = 0
    /// The index among the measures as played, repeats written out, from 0.
    public var played = 0
    public var section = ""
    /// How far into the measure, 0 to 1.
    public var fraction = 0.0
    /// Against the reference recording: 1.1 is a tenth faster.
    public var tempo = 1.0
    /// 0 to 1.
    public var confidence = 0.0
    public var state = "waiting"
    public var holderKind = "follower"
    public var holderName = ""
    public var epoch = "1.0"
    public var standbyCue = ""
    public var nextCue = ""
    public var nextCueMeasures: Int?
    public var nextCueSeconds: Double?
    public var view = "ended"
    public var panic = "none"
    public var fault = ""

    public init() {}

    /// The last part of each topic and its payload.
    ///
    /// Tempo and confidence are rounded to hundredths and the position has no fraction, so that a topic
    /// changes when something has happened and not with every report.
    public var topics: [(leaf: String, payload: String)] {
        [
            ("measure", "\(printed)"), ("state", state), ("tempo", Self.hundredths(tempo)),
            ("confidence", Self.hundredths(confidence)),
            ("holder", holderName.isEmpty ? holderKind : "\(holderKind) \(holderName)"),
            ("piece", pieceName), ("view", view), ("panic", panic), ("fault", fault),
            ("cue", cue), ("position", position),
        ]
    }

    private var cue: String {
        JSONText.object([
            ("standby", JSONText.string(standbyCue)), ("next", JSONText.string(nextCue)),
            ("inMeasures", nextCueMeasures.map { "\($0)" } ?? "null"),
        ])
    }

    private var position: String {
        JSONText.object([
            ("piece", "\(piece)"), ("pieceName", JSONText.string(pieceName)), ("measure", "\(printed)"),
            ("played", "\(played)"), ("section", JSONText.string(section)),
            ("tempo", Self.hundredths(tempo)), ("state", JSONText.string(state)),
            ("holder", JSONText.string(holderKind)), ("epoch", JSONText.string(epoch)),
        ])
    }

    /// Without an exponent, and a number whatever comes in.
    static func hundredths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0.00" }
        let whole = Int((value * 100).rounded())
        let cents = abs(whole) % 100
        return "\(whole < 0 ? "-" : "")\(abs(whole) / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}

/// Writes the little JSON that goes to the broker, keys in the order given.
enum JSONText {
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    static func string(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
