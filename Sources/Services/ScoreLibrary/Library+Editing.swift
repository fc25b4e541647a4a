import Catalogue
import Rehearsal
import ScorePages

/// What librarians change.
extension Library {
    /// Title, names and movements, as a librarian sends them.
    package struct Description: Decodable, Sendable {
        /// What is left out stays as it is.
        var title: String?
        var composer: String?
        var lyricist: String?
        var arranger: String?
        var movements: [Movement]?
        /// The revision that the librarian edited: if it is not the newest, the change is refused. Nil changes the
        /// newest without this check.
        var revision: String?
    }

    /// A part as a librarian marked it.
    package struct Marking: Decodable, Sendable {
        package var name: String?
        var places: [Rehearsal.MeasureBox]?
        var rests: [Rest]?
        var revision: String?
    }

    /// What came of a change.
    package struct Changed: Encodable, Equatable, Sendable {
        package var revision: String
        /// What is not wrong, but may be forgotten.
        package var remarks: [String] = []
    }

    package func change(
        _ id: Rehearsal.Score.ID, _ new: Description
    ) async throws(LibraryFault) -> Changed {
        let now = try entry(id, at: new.revision)
        let old = now.score
        let score: Rehearsal.Score
        do throws(RehearsalFault) {
            score = try Rehearsal.Score(
                id: id, title: new.title ?? old.title, composer: new.composer ?? old.composer,
                lyricist: new.lyricist ?? old.lyricist, arranger: new.arranger ?? old.arranger,
                movements: new.movements ?? old.movements, parts: old.parts)
        } catch { throw .rehearsal(error) }
        let next = now.changed(score)
        try await keep(next)
        return Changed(revision: String(next.revision), remarks: numberRemarks(of: score))
    }

    /// Where marked numbers are not those of the pieces that the movements are followed as.
    nonisolated func numberRemarks(of score: Rehearsal.Score) -> [String] {
        score.parts.flatMap { part in
            NumbersCheck.remarks(part.places, movements: score.movements, pieces: pieces).map {
                (score.parts.count > 1 ? "\(part.name): " : "") + $0
            }
        }
    }

    /// The same of every score that is followed as a piece of tonight, each with its title.
    /// - Returns: also how many of them there are.
    func numberRemarks(tonight folders: Set<String>) -> (scores: Int, remarks: [String]) {
        let followed = all.map(\.score).filter { score in
            score.movements.contains { $0.piece.map(folders.contains) ?? false }
        }
        let remarks = followed.flatMap { score in numberRemarks(of: score).map { "“\(score.title)”, \($0)" } }
        return (followed.count, remarks)
    }

    /// Takes measures as marked.
    /// - Throws: ``LibraryFault/places(_:)`` with all sentences where numbers fall or frames cover each other.
    package func mark(
        _ id: Rehearsal.Score.ID, part number: Int, _ new: Marking
    ) async throws(LibraryFault) -> Changed {
        let now = try entry(id, at: new.revision)
        guard now.score.parts.indices.contains(number) else { throw .noSuchPart(number) }
        let old = now.score.parts[number]
        let (places, rests) = (new.places ?? old.places, new.rests ?? old.rests)
        let (name, movements) = (new.name ?? old.name, now.score.movements)
        // A whole second for as many measures as one may send: others go on asking for pages.
        let (check, made) = await Task.detached { () -> (PlacesCheck, Result<Part, RehearsalFault>?) in
            let check = PlacesCheck(places, rests: rests, pages: old.pages, movements: movements)
            guard check.refusals.isEmpty else { return (check, nil) }
            return (
                check,
                Result { () throws(RehearsalFault) in
                    try Part(name: name, pages: old.pages, places: places, rests: rests)
                }
            )
        }.value
        guard let made else { throw .places(check.refusals) }
        var parts = now.score.parts
        do throws(RehearsalFault) { parts[number] = try made.get() } catch { throw .rehearsal(error) }
        let next = now.changed(try now.score.with(parts: parts))
        try await keep(next)
        let numbers = NumbersCheck.remarks(places, movements: movements, pieces: pieces)
        return Changed(revision: String(next.revision), remarks: numbers + check.remarks)
    }

    /// Removes the last part; the others keep their numbers.
    func removePart(_ number: Int, of id: Rehearsal.Score.ID) async throws(LibraryFault) -> Changed {
        let now = try entry(id)
        guard now.score.parts.indices.contains(number) else { throw .noSuchPart(number) }
        guard now.score.parts.count > 1 else { throw .lastPart }
        guard number == now.score.parts.count - 1 else { throw .notLastPart(number) }
        let next = now.changed(
            try now.score.with(parts: now.score.parts.dropLast()), sources: now.sources.dropLast())
        try await keep(next)
        return Changed(revision: String(next.revision))
    }

    /// Measures found by their bar lines; of engraved pages, where they are known to stand.
    func proposals(
        _ id: Rehearsal.Score.ID, part number: Int, page: Int
    ) async throws(LibraryFault) -> [MeasureProposal] {
        let now = try entry(id)
        guard now.sources.indices.contains(number) else { throw .noSuchPart(number) }
        let part = now.score.parts[number]
        guard part.pages.indices.contains(page) else {
            throw .pages(.noSuchPage(page: page, pages: part.pages.count), file: nil)
        }
        switch now.sources[number] {
        case .engraved:
            return part.places.filter { $0.page == page }.compactMap { place in
                place.box.map { MeasureProposal(system: 0, box: $0.pageBox, confidence: 1) }
            }
        case .pdf(let summary):
            do throws(ScorePagesError) {
                let grey = try await images.grey(of: summary, page: page)
                return await Task.detached { BarLineDetection.measures(in: grey) }.value
            } catch { throw .pages(error, file: nil) }
        }
    }

    // MARK: Bundles

    package func bundles(of id: Rehearsal.Score.ID?) async throws(LibraryFault) -> [StoredScoreGrant] {
        do throws(CatalogueError) { return try await catalogue.scoreGrants(of: id?.description) } catch {
            throw .catalogue(error)
        }
    }

    package func give(
        _ id: Rehearsal.Score.ID, to user: Rehearsal.User.ID
    ) async throws(LibraryFault) -> String {
        _ = try entry(id)
        do throws(CatalogueError) {
            return try await catalogue.grantScore(
                id.description, to: AccountID(rawValue: user.description),
                bundle: Rehearsal.ScoreGrant.ID.new().description)
        } catch { throw .catalogue(error) }
    }

    package func take(bundle: String) async throws(LibraryFault) {
        do throws(CatalogueError) { try await catalogue.revokeScoreGrant(bundle) } catch {
            throw .catalogue(error)
        }
    }

    private func entry(
        _ id: Rehearsal.Score.ID, at revision: String?
    ) throws(LibraryFault) -> LibraryScore {
        let now = try entry(id)
        if let revision, revision != String(now.revision) { throw .changedMeanwhile }
        return now
    }
}
