import Foundation

/// Backs up a file that this server cannot use, before it is overwritten.
enum FileBackup {
    private static let maximumCopies = 99

    /// Copies the file to `NAME.kept`, `NAME.kept-2` and so on in the same folder, unless a copy with the same bytes
    /// exists.
    /// - Returns: the copy's path; nil if none could be made, for example because the path is a folder.
    static func makeCopy(of path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path), let bytes = try? handle.readToEnd() ?? Data()
        else {
            return nil
        }
        for number in 1...maximumCopies {
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
