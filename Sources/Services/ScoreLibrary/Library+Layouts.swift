import Foundation
import Rehearsal
import ScorePages
import WebServer

/// Lays the pages of parts: their order, turning, straightening and margins.
extension Library {
    /// A layout as a page sends it.
    package struct LayoutChange: Decodable, Sendable {
        /// The new layout; nil to show the pages as they are in the file, with the margins that are found.
        var layout: PartLayout?
        /// The revision that the user edited. The change is refused if a newer one exists.
        var revision: String?
    }

    /// Margins as a stand sends them.
    package struct CropChange: Decodable, Sendable {
        package var part: Int
        /// The part of each page that is shown; nil for the margins that are found.
        package var crop: PageCrop?
        package var revision: String?
    }

    /// The answer to a change of a layout.
    package struct LayoutResult: Encodable, Equatable, Sendable {
        package var revision: String
    }

    /// The pages of a part, as a librarian sees them.
    struct FoundPages: Encodable, Equatable, Sendable {
        /// For each page of the file: the box around its music as left, top, right, bottom (nil for an empty page),
        /// the angle that straightens it, and whether it lies on its side.
        struct Page: Encodable, Equatable, Sendable {
            var box: [Double]?
            var tilt: Double
            var side: Bool
        }

        var pages: [Page]
        /// The margins that stands use unless a person sets others.
        var crop: PageCrop?
    }

    /// Stores how a part's pages are laid. Nothing of the file changes, so that every change can be undone.
    package func changeLayout(
        _ id: Rehearsal.Score.ID, part number: Int, _ new: LayoutChange
    ) async throws -> LayoutResult {
        try await storeLayout(id, part: number, revision: new.revision) { part throws(RehearsalFault) in
            if new.layout == nil, (try? part.laid(nil)) == nil {
                // Its measures were numbered in another order of pages. They keep their numbers.
                let pages = part.pages.indices.map { LaidPage(page: $0) }
                return try PartLayout(pages: pages, count: part.pages.count)
            }
            return new.layout
        }
    }

    /// Stores the margins of a part.
    package func changeCrop(_ id: Rehearsal.Score.ID, _ new: CropChange) async throws
        -> LayoutResult
    {
        try await storeLayout(id, part: new.part, revision: new.revision) { part throws(RehearsalFault) in
            let pages = part.layout?.pages ?? part.pages.indices.map { LaidPage(page: $0) }
            guard part.layout != nil || new.crop != nil else { return nil }
            return try PartLayout(pages: pages, crop: new.crop, count: part.pages.count)
        }
    }

    /// Stores the margins of a part as a room's leader sends them. The caller has checked that the user leads.
    package nonisolated func makeCropResponse(_ id: Rehearsal.Score.ID, body: [UInt8]) async -> WebResponse {
        do { return .json(try await changeCrop(id, try LibraryRoutes.decodeBody(body))) } catch {
            return LibraryRefusal(error).response
        }
    }

    private func storeLayout(
        _ id: Rehearsal.Score.ID, part number: Int, revision: String?,
        _ make: (Part) throws(RehearsalFault) -> PartLayout?
    ) async throws -> LayoutResult {
        let now = try entryIfUnchanged(id, at: revision)
        guard now.score.parts.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        var parts = now.score.parts
        parts[number] = try parts[number].laid(try make(parts[number]))
        guard parts != now.score.parts else { return LayoutResult(revision: String(now.revision)) }
        let next = now.makeNextRevision(try now.score.replacing(parts: parts))
        try await storeRevision(next)
        return LayoutResult(revision: String(next.revision))
    }

    /// Looks at the pages of a part.
    func findPages(_ id: Rehearsal.Score.ID, part number: Int) async throws -> FoundPages {
        let now = try entry(id)
        guard now.sources.indices.contains(number) else { throw LibraryRefusal.noSuchPart(number) }
        let part = now.score.parts[number]
        var pdf = try await findOrMakePDF(of: now.sources[number], part)
        // The PDF of engraved pages differs with each making; what is found on them does not.
        pdf.digest = now.sources[number].imageDigest
        let found = try await pageFindings.findings(of: pdf)
        let laid = part.layout?.pages ?? part.pages.indices.map { LaidPage(page: $0) }
        func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
        return FoundPages(
            pages: found.map { page in
                .init(
                    box: page.ink.map {
                        [$0.x, $0.y, $0.x + $0.width, $0.y + $0.height].map(rounded)
                    }, tilt: page.tiltDegrees, side: page.isOnSide)
            }, crop: FoundPartLayout.margins(of: laid, found))
    }

    /// The score as stands lay it: with the margins and angles that were found where nobody has set others.
    ///
    /// Pages that nobody has looked at yet are looked at now, in the background; stands use what is found when they
    /// open the score the next time, so that no page moves while somebody reads it.
    func laidScore(_ entry: LibraryEntry) async -> Rehearsal.Score {
        var parts: [Part] = []
        for (part, source) in zip(entry.score.parts, entry.sources) {
            let found = await pageFindings.knownFindings(of: source.imageDigest)
            if found == nil { await beginMarginSearch(in: source, part) }
            let layout = FoundPartLayout.effectiveLayout(of: part, found: found)
            parts.append((try? part.laid(layout)) ?? part)
        }
        return (try? entry.score.replacing(parts: parts)) ?? entry.score
    }

    /// Engraved pages are looked at as they are printed, so that their PDF is made first.
    private func beginMarginSearch(in source: PartSource, _ part: Part) async {
        switch source {
        case .pdf(let summary): await pageFindings.beginSearch(in: summary)
        case .engraved(let files, _):
            guard diskReserve.refusal(adding: files.count * Self.printedPageBytes) == nil else { return }
            await pageFindings.beginSearch(of: source.imageDigest) { () async throws(ScorePagesError) in
                try await self.findOrMakePDF(of: source, part)
            }
        }
    }
}
