import Basics
import Score

/// Programmes that are put together while the server runs.
extension ShowProgramme {
    /// A programme to which no piece has been added yet. Its only piece stands in for a piece: it has one measure and
    /// no folder, and the follower hears no music in it.
    public static func empty(_ evening: Evening) -> ShowProgramme {
        ShowProgramme(evening, unchecked: [.placeholder], intermissions: [])
    }

    public static func empty(title: String) -> ShowProgramme { empty(Evening(title)) }

    /// True if no piece has been added to the programme yet.
    public var isEmpty: Bool { pieces.allSatisfy(\.isPlaceholder) }

    /// Finds the pieces of this programme again in a changed one. A piece that occurs several times is found in the
    /// order of its occurrences.
    /// - Returns: for each piece its index in the changed programme; nil if it is no longer in it.
    public func indices(in changed: ShowProgramme) -> [Int?] {
        var remaining = Array(changed.pieces.indices)
        return pieces.map { piece in
            guard
                let slot = remaining.firstIndex(where: {
                    changed.pieces[$0].folder == piece.folder && changed.pieces[$0].name == piece.name
                })
            else { return nil }
            return remaining.remove(at: slot)
        }
    }

    /// The number of pieces that are announced: all but the encores, and at least one.
    public var announcedCount: Int { max(pieces.count - evening.encores, 1) }

    /// The indices of the encores that nobody has been told of, because they were not played yet.
    /// - Parameter heard: the indices of the pieces that were played.
    public func secretEncores(heard: [Int]?) -> [Int] {
        (announcedCount..<max(pieces.count, announcedCount)).filter { heard?.contains($0) != true }
    }

    /// Returns the programme as people are told of it.
    public func leavingOut(_ indices: [Int]) -> ShowProgramme {
        guard !indices.isEmpty else { return self }
        return ShowProgramme(
            evening, unchecked: pieces.enumerated().filter { !indices.contains($0.offset) }.map(\.element),
            intermissions: intermissions)
    }

    /// True if both programmes have the same pieces with the same measures in the same order; titles, sections, cues
    /// and intermissions may differ. The same follower then serves both.
    public func hasSameMusic(as other: ShowProgramme) -> Bool {
        pieces.count == other.pieces.count
            && zip(pieces, other.pieces).allSatisfy { $0.folder == $1.folder && $0.measures == $1.measures }
    }

    /// Identifies the order of the pieces and the intermissions. Two consoles that change the programme at once are
    /// told apart by it; edits of cues leave it as it is.
    public var orderRevision: String {
        var hash = FNV1aHash()
        hash.add(title)
        if evening != Evening(title) {
            for text in [evening.kind.rawValue, evening.date ?? "", evening.place ?? ""] { hash.add(text) }
            for person in evening.people { hash.add(person.editorLine) }
            if evening.encores > 0 { hash.add("\(evening.encores)") }
            if let plan = evening.plan { hash.add(plan) }
        }
        for piece in pieces {
            hash.add(piece.folder)
            hash.add("\(piece.measures.marks.count)")
        }
        for index in intermissions { hash.add("\(index)") }
        return hash.text
    }

    /// Returns this programme with the cues and titles of the pieces that another one has too. An edit of the programme
    /// thus keeps these lists as they are at that moment.
    public func takingCuesAndTitles(from other: ShowProgramme) -> ShowProgramme {
        var changed = pieces
        for (old, new) in zip(other.pieces, other.indices(in: self)) {
            guard let new else { continue }
            if let piece = try? changed[new].replacingCues(by: old.cues) { changed[new] = piece }
            if let piece = try? changed[new].replacingTitles(by: old.titles) { changed[new] = piece }
        }
        return ShowProgramme(evening, unchecked: changed, intermissions: intermissions)
    }
}

extension ShowPiece {
    /// True for the piece that stands in for a piece in an empty programme.
    public var isPlaceholder: Bool { folder.isEmpty }

    /// Stands in for a piece in an empty programme.
    static let placeholder = ShowPiece(name: .noPieceYet, folder: "", measures: .oneMeasure)
}
