import Foundation
import Repository
import Testing

/// Tables of the documents that decide something: the tests go by them.
enum Documents {
    private static let folder = Repository.root.appending(path: "docs")

    /// The cells of each row of the table below a heading, without its first two lines and without back-quotes.
    static func rows(of file: String, under heading: String) throws -> [[String]] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(
            lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(" " + heading) },
            "\(file) has no “\(heading)”")
        let rows = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return rows.dropFirst(2).map { row in
            row.split(separator: "|").map {
                $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
