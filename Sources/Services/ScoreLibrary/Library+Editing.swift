import Catalogue
import Rehearsal
import ScorePages

/// Lets librarians change scores.
extension Library {
    /// Title, names and movements of a score, as a librarian's page sends them.
    package struct ScoreChange: Decodable, Sendable {
        /// The new title. Every field that is missing in the request stays unchanged.
        var title: String?
        var composer: String?
        var lyricist: String?
        var arranger: String?
        var movements: [Movement]?
        /// The revision that the librarian edited. The change is refused if a newer one exists; nil skips this check.
        var revision: String?
    }

    /// The name, measure frames and rests of a part, as a librarian's page sends them.
    package struct PartChange: Decodable, Sendable {
        package var name: String?
        var places: [Rehearsal.MeasureBox]?
        var rests: [MultiMeasureRest]?
        var revision: String?
    }

    /// The result of changing a score.
    package struct ChangeResult: Encodable, Equatable, Sendable {
        package var revision: String
        /// Sentences about measures that may have been forgotten or misnumbered; they do not prevent the change.
        package var remarks: [String] = []
    }

    package func changeScore(
        _ id: Rehearsal.Score.ID, _ new: ScoreChange
    ) async throws -> ChangeResult {
        let now = try entryIfUnchanged(id, at: new.revision)
        let old = now.score
        if let movements = new.movements,
            let fault = RehearsalMarkCheck.fault(in: movements, of: old, pieces: followablePieces)
        {
            throw LibraryRefusal.invalidMarks(fault)
        }
        let score: Rehearsal.Score
        score = try Rehearsal.Score(
            id: id, title: new.title ?? old.title, composer: new.composer ?? old.composer,
            lyricist: new.lyricist ?? old.lyricist, arranger: new.arranger ?? old.arranger,
            movements: new.movements ?? old.movements, parts: old.parts)
        let next = now.makeNextRevision(score)
        try await storeRevision(next)
        return ChangeResult(
            revision: String(next.revision),
            remarks: unknownPieceWarnings(of: score) + measureNumberWarnings(of: score))
    }

    /// Warns about movements that are followed as a piece which this server does not have. It may come later, so that
    /// this is no error.
    private func unknownPieceWarnings(of score: Rehearsal.Score) -> [String] {
        let known = Set(followablePieces.map(\.piece))
        return score.movements.enumerated().compactMap { number, movement in
            guard let piece = movement.piece, !known.contains(piece) else { return nil }
            return
                "Movement \(number + 1) is followed as “\(piece.prefix(80))”, which this server does not have: its "
                + "pages do not turn with the music. Choose another piece, or prepare this one."
        }
    }

    /// Warns if a movement's marked measure numbers differ from the numbers of its piece.
    nonisolated func measureNumberWarnings(of score: Rehearsal.Score) -> [String] {
        score.parts.flatMap { part in
            MeasureNumberCheck.warnings(part.places, movements: score.movements, pieces: followablePieces).map
            {
                (score.parts.count > 1 ? "\(part.name): " : "") + $0
            }
        }
    }

    /// Checks the measure numbers of all scores that belong to tonight's pieces.
    /// - Returns: the number of checked scores, and the warnings, each with the score's title.
    func measureNumberWarnings(tonight folders: Set<String>) -> (scores: Int, remarks: [String]) {
        let followed = allEntries.map(\.score).filter { score in
            score.movements.contains { $0.piece.map(folders.contains) ?? false }
        }
        let remarks = followed.flatMap { score in
            measureNumberWarnings(of: score).map { "“\(score.title)”, \($0)" }
        }
        return (followed.count, remarks)
    }

    /// Stores a part's name, marked measures and rests.
    /// - Throws: ``LibraryRefusal/invalidMeasures(_:)`` with a sentence for each error, such as falling numbers or
    ///   overlapping frames.
    package func changePart(
        _ id: Rehearsal.Score.ID, part number: Int, _ new: PartChange
    ) async throws -> ChangeResult {
        let now = try entryIfUnchanged(id, at: new.revision)
        guard now.score.parts.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        let old = now.score.parts[number]
        let (places, rests) = (new.places ?? old.places, new.rests ?? old.rests)
        let (name, movements) = (new.name ?? old.name, now.score.movements)
        // Pages are read in the order in which they are laid; those that are left out are not judged.
        let sequence = PageSequence(old)
        let shown = places.compactMap { place -> Rehearsal.MeasureBox? in
            guard old.layout != nil, old.pages.indices.contains(place.page) else { return place }
            guard let position = sequence.position(ofPage: place.page) else { return nil }
            var placed = place
            placed.page = position
            return placed
        }
        let sizes = old.layout == nil ? old.pages : sequence.pages.map { old.form(ofPage: $0).uprightSize }
        // The check may take a second; outside the actor it does not delay requests for pages.
        let (check, made) = await Task.detached {
            () -> (MarkedMeasuresCheck, Result<Part, RehearsalFault>?) in
            let check = MarkedMeasuresCheck(shown, rests: rests, pages: sizes, movements: movements)
            guard check.errors.isEmpty else { return (check, nil) }
            return (
                check,
                Result { () throws(RehearsalFault) in
                    try Part(
                        name: name, pages: old.pages, places: places, rests: rests, layout: old.layout)
                }
            )
        }.value
        guard let made else { throw LibraryRefusal.invalidMeasures(check.errors) }
        var parts = now.score.parts
        parts[number] = try made.get()
        let next = now.makeNextRevision(try now.score.replacing(parts: parts))
        try await storeRevision(next)
        let numbers = MeasureNumberCheck.warnings(places, movements: movements, pieces: followablePieces)
        return ChangeResult(revision: String(next.revision), remarks: numbers + check.warnings)
    }

    /// Removes a score's last part. Other parts cannot be removed, since rooms refer to parts by index.
    func removePart(_ number: Int, of id: Rehearsal.Score.ID) async throws -> ChangeResult {
        let now = try entry(id)
        guard now.score.parts.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        guard now.score.parts.count > 1 else { throw LibraryRefusal.onlyPart }
        guard number == now.score.parts.count - 1 else { throw LibraryRefusal.notLastPart(number) }
        let next = now.makeNextRevision(
            try now.score.replacing(parts: now.score.parts.dropLast()), sources: now.sources.dropLast())
        try await storeRevision(next)
        return ChangeResult(revision: String(next.revision))
    }

    /// Proposes measure frames for a page: from detected bar lines on a PDF page, the exact frames on an engraved page.
    func proposeMeasureFrames(
        _ id: Rehearsal.Score.ID, part number: Int, page: Int
    ) async throws -> [DetectedMeasure] {
        let now = try entry(id)
        guard now.sources.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        let part = now.score.parts[number]
        guard part.pages.indices.contains(page) else {
            throw ScorePagesError.noSuchPage(page: page, pages: part.pages.count)
        }
        switch now.sources[number] {
        case .engraved:
            return part.places.filter { $0.page == page }.compactMap { place in
                place.box.map { DetectedMeasure(system: 0, box: $0.pageBox, confidence: 1) }
            }
        case .pdf(let summary):
            let grey = try await pageImages.renderGreyPage(of: summary, page: page)
            return await Task.detached { PageMeasureDetector.detectMeasures(in: grey) }.value
        }
    }

    // MARK: Rights to scores

    package func scoreGrants(of id: Rehearsal.Score.ID?) async throws -> [StoredScoreGrant] {
        return try await catalogue.scoreGrants(of: id?.description)
    }

    package func grantScore(
        _ id: Rehearsal.Score.ID, to user: Rehearsal.User.ID
    ) async throws -> String {
        _ = try entry(id)
        return try await catalogue.grantScore(
            id.description, to: AccountID(rawValue: user.description),
            bundle: Rehearsal.ScoreGrant.ID.new().description)
    }

    package func revokeGrant(bundle: String) async throws {
        try await catalogue.revokeScoreGrant(bundle)
    }

    func entryIfUnchanged(
        _ id: Rehearsal.Score.ID, at revision: String?
    ) throws -> LibraryEntry {
        let now = try entry(id)
        if let revision, revision != String(now.revision) { throw LibraryRefusal.changedMeanwhile }
        return now
    }
}
