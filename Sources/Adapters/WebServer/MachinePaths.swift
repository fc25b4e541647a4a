import Foundation

/// Keeps paths of this machine out of refusals, whichever part of the program wrote the sentence.
///
/// A path that begins with a folder of the machine's root is replaced by its last part: `/var/lib/baton/a.sqlite`
/// by `a.sqlite`. Addresses of the server's own, such as `/getPieces.php`, begin with none and stay.
enum MachinePaths {
    /// Looked at once; folders below the root do not come and go.
    static let rootFolders: Set<String> = Set(
        ((try? FileManager.default.contentsOfDirectory(atPath: "/")) ?? []).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "/" + name, isDirectory: &isFolder)
                && isFolder.boolValue
        })

    static func hidden(in body: [UInt8], roots: Set<String> = rootFolders) -> [UInt8] {
        guard body.contains(UInt8(ascii: "/")) else { return body }
        let text = Array(String(decoding: body, as: UTF8.self).unicodeScalars)
        var out = String.UnicodeScalarView()
        var index = 0
        while index < text.count {
            guard text[index] == "/", index == 0 || !isPartOfPath(text[index - 1]) else {
                out.append(text[index])
                index += 1
                continue
            }
            var end = index + 1
            while end < text.count, isPartOfPath(text[end]) { end += 1 }
            // A full stop ends the sentence.
            while end > index + 1, text[end - 1] == "." { end -= 1 }
            let parts = text[index..<end].split(separator: "/")
            let isOurs = parts.first.map { roots.contains(String(String.UnicodeScalarView($0))) } ?? false
            out.append(contentsOf: isOurs ? parts[parts.count - 1] : text[index..<end])
            index = end
        }
        return Array(String(out).utf8)
    }

    /// Quotes, blanks and brackets end a path.
    private static func isPartOfPath(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "/._-~+@%".unicodeScalars.contains(scalar)
    }
}
