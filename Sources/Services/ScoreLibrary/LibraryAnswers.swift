import Catalogue
import Rehearsal
import ScorePages

/// A score as it appears in the librarian's list.
package struct LibraryListEntry: Encodable {
    package struct Part: Encodable {
        package var name: String
        package var pages: Int
        /// Number of the part's marked measures.
        package var places: Int
        /// Origin of the part's pages: `pdf` or `engraved`.
        package var source: String
        var mayPrint: Bool
    }

    package var id: Rehearsal.Score.ID
    package var title: String
    package var composer: String
    package var lyricist: String
    package var arranger: String
    package var movements: [Movement]
    package var parts: [Part]
    package var revision: String

    package init(_ entry: LibraryEntry) {
        id = entry.score.id
        title = entry.score.title
        composer = entry.score.composer
        lyricist = entry.score.lyricist
        arranger = entry.score.arranger
        movements = entry.score.movements
        revision = String(entry.revision)
        parts = zip(entry.score.parts, entry.sources).map { part, source in
            switch source {
            case .pdf(let summary):
                Part(
                    name: part.name, pages: part.pages.count, places: part.places.count, source: "pdf",
                    mayPrint: summary.permitsPrinting)
            case .engraved:
                Part(
                    name: part.name, pages: part.pages.count, places: part.places.count,
                    source: "engraved", mayPrint: true)
            }
        }
    }
}

/// A score with its revision, as sent to web pages and stands.
struct ScoreDetail: Encodable {
    private enum CodingKeys: CodingKey { case revision, images, rewritable, musicMissing }

    var score: Rehearsal.Score
    var revision: String
    /// Names the images of each part's pages. A change of the score that leaves the pages of its files as they are
    /// keeps the name.
    var images: [String]

    /// For each part, whether a reader may have it written in another key.
    var rewritable: [Bool]
    /// For each part, whether it was engraved from music that the server does not have any more.
    var musicMissing: [Bool]

    /// - Parameters:
    ///   - score: the score as it is laid for the reader; nil as librarians have set it.
    ///   - music: whether the music of each part is on the server.
    init(_ entry: LibraryEntry, laid score: Rehearsal.Score? = nil, music: [PartMusic]) {
        self.score = score ?? entry.score
        revision = String(entry.revision)
        images = entry.sources.map(\.imageTag)
        rewritable = music.map { $0 == .kept }
        musicMissing = music.map { $0 == .missing }
    }

    func encode(to encoder: any Encoder) throws {
        try score.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(revision, forKey: .revision)
        try fields.encode(images, forKey: .images)
        try fields.encode(rewritable, forKey: .rewritable)
        try fields.encode(musicMissing, forKey: .musicMissing)
    }
}

struct MeasureProposalAnswer: Encodable {
    /// Index of the staff system on the page, from 0.
    var system: Int
    /// Left, top, right and bottom edge of the proposed measure, as fractions of the page.
    var box: [Double]
    /// Probability that the frame is a measure, 0…1. The web page asks the librarian to check proposals below 0.5.
    var confidence: Double

    init(_ proposal: DetectedMeasure) {
        func rounded(_ value: Double) -> Double { (min(max(value, 0), 1) * 1e5).rounded() / 1e5 }
        system = proposal.system
        let box = proposal.box
        self.box = [box.x, box.y, box.x + box.width, box.y + box.height].map(rounded)
        confidence = (proposal.confidence * 100).rounded() / 100
    }
}

struct ScoreGrantAnswer: Encodable {
    var id: String
    var user: String
    package var name: String
    var score: String

    init(_ bundle: StoredScoreGrant) {
        id = bundle.id
        user = bundle.accountID.rawValue
        name = bundle.accountName
        score = bundle.scoreID
    }
}

/// A user to whom a librarian may give a score.
package struct GrantableUser: Encodable {
    var id: String
    package var name: String
    var role: String
    /// True for editors and administrators, who see every score without a grant.
    var holdsAll: Bool
}

extension Library {
    package func grantableUsers() async throws -> [GrantableUser] {
        return try await catalogue.accounts().filter { $0.disabledAt == nil }.map {
            GrantableUser(
                id: $0.id.rawValue, name: $0.name, role: $0.role.rawValue,
                holdsAll: $0.role == .editor || $0.role == .administrator)
        }
    }
}
