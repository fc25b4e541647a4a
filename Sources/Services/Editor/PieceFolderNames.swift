import Concert
import Score

/// Names the folders of a concert's pieces among its files.
///
/// A piece's folder is named as on phones. Phones give two pieces the same folder if their names are the same, or differ
/// in capitals, blanks and signs only; among the files, the second one is `POA…-2`, the third one `POA…-3`. No other
/// piece has such a folder, because a phone's folder name has no dash.
enum PieceFolderNames {
    /// Returns a folder name for each piece, in their order; each differs from the others, also where a file system
    /// ignores capitals.
    static func distinctNames(of pieces: [PieceName]) -> [String] {
        var taken: Set<String> = []
        return pieces.map { piece in
            let plain = piece.offlineFolderName
            var (name, number) = (plain, 1)
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(plain)-\(number)"
            }
            return name
        }
    }
}
