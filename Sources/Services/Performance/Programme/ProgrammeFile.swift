import Foundation
import Hosting
import Podium

/// The programme of the last evening, in `DATA/programme.json`: what `baton serve` without a piece begins with.
///
/// It is a concert file, so that `--programme` and other commands read it too.
package struct ProgrammeFile: Codable, Equatable, Sendable {
    package var title: String
    /// The folders of the pieces; none for an empty programme.
    package var pieces: [String]
    package var intermissions: [Int]?

    package init(title: String, pieces: [String], intermissions: [Int]? = nil) {
        (self.title, self.pieces, self.intermissions) = (title, pieces, intermissions)
    }

    package init(_ programme: ShowProgramme) {
        title = programme.title
        pieces = programme.isEmpty ? [] : programme.pieces.map(\.folder)
        intermissions = programme.intermissions.isEmpty ? nil : programme.intermissions
    }

    /// The path of the file in a data folder.
    package static func path(in dataFolder: String) -> String { dataFolder + "/programme.json" }

    /// Reads the file; nil if there is none, or if it is damaged.
    package static func read(in dataFolder: String) -> ProgrammeFile? {
        guard let bytes = FileManager.default.contents(atPath: path(in: dataFolder)) else { return nil }
        return try? JSONDecoder().decode(Self.self, from: bytes)
    }

    func write(in dataFolder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: Self.path(in: dataFolder)), options: .atomic)
    }
}
