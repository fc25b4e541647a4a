import Basics
import Foundation
import Hosting
import Podium

/// The last evening and its programme, in `DATA/programme.json`: what `baton serve` without a piece begins with.
///
/// It is a concert file, so that `--programme` and other commands read it too. While `DATA/next-evening.json` is there,
/// a person has said which evening begins next: it takes the other file's place, and a new show begins.
package struct ProgrammeFile: Equatable, Sendable {
    package var evening: Evening
    /// The folders of the pieces; none for an empty programme.
    package var pieces: [String]
    package var intermissions: [Int]?
    /// The newest failover term of the evening before; nil without one. The next evening goes on from it, so that of two
    /// servers the one that begins first leads.
    package var term: UInt32?

    package init(_ evening: Evening, pieces: [String], intermissions: [Int]? = nil, term: UInt32? = nil) {
        (self.evening, self.pieces, self.intermissions, self.term) = (evening, pieces, intermissions, term)
    }

    package init(_ programme: ShowProgramme) {
        evening = programme.evening
        pieces = programme.folders
        intermissions = programme.intermissions.isEmpty ? nil : programme.intermissions
    }

    /// The path of the file in a data folder.
    package static func path(in dataFolder: String) -> String { dataFolder + "/programme.json" }

    /// The path of the file that says which evening begins next.
    package static func nextPath(in dataFolder: String) -> String { dataFolder + "/next-evening.json" }

    /// The evening that begins next; nil if nobody has said, or if the file is damaged.
    package static func readNext(in dataFolder: String) -> ProgrammeFile? {
        JSONFile.read(Self.self, at: nextPath(in: dataFolder))
    }

    /// Forgets which evening begins next, because it has begun.
    package static func forgetNext(in dataFolder: String) {
        try? FileManager.default.removeItem(atPath: nextPath(in: dataFolder))
    }

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
        /// The evening, whether it has pieces or not; nil if nobody has said anything about it.
        package var evening: Evening?
        /// False if the file or one of its pieces could not be used. The file then stays as it is until somebody
        /// changes the programme.
        package var isComplete: Bool

        package init(programme: ProgrammeFile? = nil, evening: Evening? = nil, isComplete: Bool = true) {
            (self.programme, self.evening, self.isComplete) = (programme, evening, isComplete)
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
        do {
            if let next = readNext(in: dataFolder) { file = next } else { file = try read(in: dataFolder) }
        } catch {
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
            programme: file?.keepingPieces { isThere[$0] == true }, evening: file?.evening,
            isComplete: isComplete)
    }

    /// Returns the programme with only some of its pieces; nil if none is left. An intermission stays after the piece
    /// before it that stays.
    func keepingPieces(_ isKept: (String) -> Bool) -> ProgrammeFile? {
        let kept = pieces.indices.filter { isKept(pieces[$0]) }
        guard !kept.isEmpty else { return nil }
        let moved = (intermissions ?? []).map { old in kept.count { $0 <= old } - 1 }.filter { $0 >= 0 }
        return ProgrammeFile(
            evening, pieces: kept.map { pieces[$0] },
            intermissions: moved.isEmpty ? nil : Set(moved).sorted())
    }

    func write(in dataFolder: String) throws {
        try JSONFile.write(self, to: Self.path(in: dataFolder))
    }

    func writeNext(in dataFolder: String) throws {
        try JSONFile.write(self, to: Self.nextPath(in: dataFolder))
    }
}

extension ShowProgramme {
    /// The folders of the pieces, in order; none for an empty programme.
    var folders: [String] { isEmpty ? [] : pieces.map(\.folder) }
}

extension ProgrammeFile: Codable {
    private enum CodingKeys: CodingKey { case pieces, intermissions, term }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Evening(from: decoder), pieces: try fields.decode([String].self, forKey: .pieces),
            intermissions: try fields.decodeIfPresent([Int].self, forKey: .intermissions),
            term: try fields.decodeIfPresent(UInt32.self, forKey: .term))
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try evening.encode(to: encoder)
        try fields.encode(pieces, forKey: .pieces)
        try fields.encodeIfPresent(intermissions, forKey: .intermissions)
        try fields.encodeIfPresent(term, forKey: .term)
    }
}
