/// Decodes and validates the path of a request.
enum PagePath {
    /// Percent-decodes and validates a path.
    /// - Returns: nil for a path that no browser requests from this server: with `..`, hidden files, empty parts,
    ///   backslashes, control characters, percent signs that remain after decoding, or bytes that are not UTF-8.
    static func decoded(_ path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= 1_024 else { return nil }
        guard let plain = percentDecoded(path) else { return nil }
        for byte in plain.utf8 where byte < 0x20 || byte == 0x7F || "\\%:".utf8.contains(byte) { return nil }
        let parts = plain.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.isEmpty && !(index == 0 && parts.count == 1) { return nil }
            if part.first == "." { return nil }
        }
        return plain
    }

    /// Percent-decodes a text; nil if an escape is broken or the bytes are not UTF-8.
    static func percentDecoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigitValue),
                let low = rest.popFirst().flatMap(hexDigitValue)
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigitValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
