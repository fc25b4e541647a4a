import Foundation
import Pictures

/// The pictures that an SVG file holds in itself, as `data:image/jpeg;base64,…`.
enum EmbeddedPictures {
    /// Cleans each of them from what it says about its maker. One that cannot be read stays, for browsers show none.
    static func clean(_ drawing: [UInt8]) -> [UInt8] {
        let text = String(decoding: drawing, as: UTF8.self)
        guard text.contains(";base64,") else { return drawing }
        var (made, rest) = ("", text[...])
        while let head = rest.firstRange(of: ";base64,") {
            made += rest[..<head.upperBound]
            rest = rest[head.upperBound...]
            let written = rest.prefix { $0 != "\"" && $0 != "'" && $0 != ")" }
            rest = rest[written.endIndex...]
            guard let bytes = Data(base64Encoded: String(written)).map(Array.init),
                let format = PictureFormat(head: Array(bytes.prefix(64))),
                let clean = CleanPicture(bytes, format)?.bytes, clean != bytes
            else {
                made += written
                continue
            }
            made += Data(clean).base64EncodedString()
        }
        return made.isEmpty ? drawing : Array((made + rest).utf8)
    }
}
