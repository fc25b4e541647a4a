import Foundation

/// Removes this machine's file paths from error texts before visitors see them.
///
/// A path that begins with a top-level folder of this machine is replaced by its last part: `/var/lib/baton/a.sqlite`
/// becomes `a.sqlite`. The server's own addresses, such as `/getPieces.php`, do not begin with such a folder and stay.
enum MachinePathRedaction {
    /// The names of the machine's top-level folders, read once because they do not change.
    static let topLevelFolderNames: Set<String> = Set(
        ((try? FileManager.default.contentsOfDirectory(atPath: "/")) ?? []).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "/" + name, isDirectory: &isFolder)
                && isFolder.boolValue
        })

    static func redactPaths(in body: [UInt8], roots: Set<String> = topLevelFolderNames) -> [UInt8] {
        guard body.contains(UInt8(ascii: "/")) else { return body }
        let text = Array(String(decoding: body, as: UTF8.self).unicodeScalars)
        var out = String.UnicodeScalarView()
        var index = 0
        while index < text.count {
            guard text[index] == "/", index == 0 || !canOccurInPath(text[index - 1]) else {
                out.append(text[index])
                index += 1
                continue
            }
            var end = index + 1
            while end < text.count, canOccurInPath(text[end]) { end += 1 }
            // A full stop ends the sentence and does not belong to the path.
            while end > index + 1, text[end - 1] == "." { end -= 1 }
            let parts = text[index..<end].split(separator: "/")
            let isOurs = parts.first.map { roots.contains(String(String.UnicodeScalarView($0))) } ?? false
            out.append(contentsOf: isOurs ? parts[parts.count - 1] : text[index..<end])
            index = end
        }
        return Array(String(out).utf8)
    }

    /// True for characters that can occur in a path; false for quotation marks, blanks and brackets, which end it.
    private static func canOccurInPath(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "/._-~+@%".unicodeScalars.contains(scalar)
    }
}
