/// The key signature of a section, with its mode.
public struct KeySignature: Hashable, Sendable, CustomStringConvertible {
    /// Number of sharps if positive, or of flats if negative: −7…7, as on the circle of fifths.
    public let fifths: Int
    public let mode: Mode

    public enum Mode: String, Hashable, Sendable, Codable, CaseIterable { case major, minor }

    /// Makes a key signature.
    /// - Returns: nil if there are more than seven accidentals.
    public init?(fifths: Int, mode: Mode) {
        guard (-7...7).contains(fifths) else { return nil }
        self.fifths = fifths
        self.mode = mode
    }

    /// Reads a key as written by ``name``: `D major`, `B-flat major`, `C-sharp minor`, in any letter case.
    public init?(_ name: String) {
        let wanted = CleanText.cleanedLine(name).lowercased()
        let all = Mode.allCases.flatMap { mode in (-7...7).compactMap { KeySignature(fifths: $0, mode: mode) }
        }
        guard let key = all.first(where: { $0.name.lowercased() == wanted }) else { return nil }
        self = key
    }

    /// The key in English, such as `B-flat major`.
    public var name: String {
        "\(tonic.letter)\(["-double-flat", "-flat", "", "-sharp", "-double-sharp"][tonic.sharps + 2]) \(mode.rawValue)"
    }

    /// The number of accidentals in words, such as `2 sharps`, `1 flat` or `no accidentals`.
    public var accidentalsText: String {
        let count = abs(fifths)
        guard count > 0 else { return "no accidentals" }
        return "\(count) \(fifths > 0 ? "sharp" : "flat")\(count == 1 ? "" : "s")"
    }

    public var description: String { name }

    /// The letter of the key's tonic, and its sharps: 1 for a sharp, -1 for a flat, 0 for neither.
    private var tonic: (letter: Character, sharps: Int) {
        // The tonic of a minor key is three fifths above that of the major key with the same signature.
        let place = fifths + (mode == .major ? 1 : 4) + 14
        return (Array("FCGDAEB")[place % 7], place / 7 - 2)
    }
}

extension KeySignature: Codable {
    public init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let key = KeySignature(name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a key"))
        }
        self = key
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
