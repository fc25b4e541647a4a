import Basics
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

    /// Reads the file.
    /// - Returns: nil if there is none.
    /// - Throws: ``ExplainedError`` if it cannot be used. A copy is kept under another name.
    package static func read(in dataFolder: String) throws -> ProgrammeFile? {
        let path = path(in: dataFolder)
        guard let bytes = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw ExplainedError(
                "The last evening's programme \(path) cannot be read; check its permissions.")
        }
        if let file = try? JSONDecoder().decode(Self.self, from: bytes) { return file }
        let copy = FileBackup.makeCopy(of: path).map { "; it is kept as \($0)" } ?? ""
        throw ExplainedError("The last evening's programme \(path) is damaged\(copy).")
    }

    /// The programme to begin with, and whether it is all that the file names.
    package struct Beginning: Sendable {
        /// The programme without the pieces that cannot be loaded; nil if nothing is left.
        package var programme: ProgrammeFile?
        /// False if the file or one of its pieces could not be used. The file then stays as it is until somebody
        /// changes the programme.
        package var isComplete: Bool

        package init(programme: ProgrammeFile? = nil, isComplete: Bool = true) {
            (self.programme, self.isComplete) = (programme, isComplete)
        }
    }

    /// Reads the programme to begin with. Pieces that cannot be loaded are left out.
    /// - Parameters:
    ///   - load: loads a piece's model to see whether it is there; called once for each folder.
    ///   - say: called with sentences about what cannot be used.
    package static func readBeginning(
        in dataFolder: String, load: (String) throws -> Void, say: (String) -> Void
    ) -> Beginning {
        let file: ProgrammeFile?
        var isComplete = true
        do { file = try read(in: dataFolder) } catch {
            say("\(error.explanation) The evening begins without a programme; change it on the console.")
            return Beginning(programme: nil, isComplete: false)
        }
        var isThere: [String: Bool] = [:]
        for folder in file?.pieces ?? [] where isThere[folder] == nil {
            do {
                try load(folder)
                isThere[folder] = true
            } catch {
                isThere[folder] = false
                isComplete = false
                say("“\(folder)” of the last evening's programme is left out: \(error.explanation)")
            }
        }
        if !isComplete {
            say("\(path(in: dataFolder)) still names it, until the programme is changed on the console.")
        }
        return Beginning(
            programme: file?.keepingPieces { isThere[$0] == true }, isComplete: isComplete)
    }

    /// Returns the programme with only some of its pieces; nil if none is left. An intermission stays after the piece
    /// before it that stays.
    private func keepingPieces(_ isKept: (String) -> Bool) -> ProgrammeFile? {
        let kept = pieces.indices.filter { isKept(pieces[$0]) }
        guard !kept.isEmpty else { return nil }
        let moved = (intermissions ?? []).map { old in kept.count { $0 <= old } - 1 }.filter { $0 >= 0 }
        return ProgrammeFile(
            title: title, pieces: kept.map { pieces[$0] },
            intermissions: moved.isEmpty ? nil : Set(moved).sorted())
    }

    func write(in dataFolder: String) throws {
        try JSONFile.write(self, to: Self.path(in: dataFolder))
    }
}
