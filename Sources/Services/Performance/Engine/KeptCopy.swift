import Foundation

/// A copy of a file that this server cannot use and may write over later.
enum KeptCopy {
    private static let most = 99

    /// Copies the file beside itself, as `NAME.kept`, `NAME.kept-2` …; a copy with the same bytes is not made again.
    /// - Returns: the copy's path; nil where none could be made, as of a folder.
    static func make(of path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path), let bytes = try? handle.readToEnd() ?? Data()
        else {
            return nil
        }
        for number in 1...most {
            let copy = number == 1 ? path + ".kept" : path + ".kept-\(number)"
            if let there = FileManager.default.contents(atPath: copy) {
                if there == bytes { return copy }
                continue
            }
            guard !FileManager.default.fileExists(atPath: copy) else { continue }
            return (try? bytes.write(to: URL(fileURLWithPath: copy), options: .withoutOverwriting)) == nil
                ? nil : copy
        }
        return nil
    }
}
