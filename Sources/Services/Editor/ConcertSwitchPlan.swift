import Catalogue
import Concert
import Content
import Hosting

/// Describes what listeners would notice if another concert were served. An editor must read and confirm it.
struct ConcertSwitchPlan: Encodable {
    /// The largest number of errors, and of pieces, that the plan's sentence names.
    private static let maximumNamedItems = 5

    struct PresentConcert: Encodable {
        var concert: Int64
        var title: String
    }

    var concert: Int64
    var title: String
    /// The concert that listeners get now; nil if there is none.
    @OrNull var now: PresentConcert?
    /// The number of connected listeners, whose pages would change at once.
    var listeners: Int
    var pieces: [String]
    /// Pieces of the present concert that listeners would lose.
    var gone: [String]
    /// The sentences of all findings that are errors.
    var errors: [String]
    /// The whole plan as text for the editor.
    var sentence: String
    /// The reason why this concert cannot be served now; nil if it can.
    @OrNull var refused: SwitchRefusal?
    /// The token that the page sends back to confirm exactly this change; any other change has another token.
    var confirm: String

    struct SwitchRefusal: Encodable {
        var code: String
        var sentence: String
    }

    /// Compares the concert that an editor wants to serve with the one that listeners get now.
    /// - Parameters:
    ///   - document: the concert that listeners would get.
    ///   - served: the concert that listeners get now; nil if there is none.
    init(_ id: Int64, _ document: CatalogueConcert, served: PublishedConcert?, listeners: Int, isLocked: Bool)
    {
        concert = id
        title = document.concert.title
        self.listeners = listeners
        now = served.map { PresentConcert(concert: $0.id, title: $0.catalogueConcert.concert.title) }
        let new = document.concert.pieces.map(\.name.text)
        let old = served?.catalogueConcert.concert.pieces.map(\.name.text) ?? []
        pieces = new
        gone = old.filter { !new.contains($0) }
        errors = ContentCheck.findings(in: document.concert, assets: document.imageNames)
            .filter { $0.severity == .error }.map(\.sentence)
        confirm = "\(served?.revision ?? "none")-\(id).\(document.contentTree.revision)"
        let name = title.isEmpty ? "The concert" : "“\(title)”"
        refused = nil
        sentence = ""
        if isLocked {
            refused = SwitchRefusal(
                code: "locked",
                sentence: "The show is locked, so listeners keep their concert; unlock the show first.")
        } else if pieces.isEmpty {
            refused = SwitchRefusal(
                code: "empty", sentence: "\(name) has no piece; listeners would see nothing. Add one first.")
        }
        var sentences = ["Listeners will see \(name) with \(Self.countedNoun(pieces.count, "piece"))"]
        sentences[0] +=
            now.map { " instead of “\($0.title)” with \(Self.countedNoun(old.count, "piece"))." } ?? "."
        if !gone.isEmpty { sentences.append("They will no longer see \(Self.joinedNames(gone)).") }
        if !document.concert.pieces.contains(where: { $0.tracks.contains { !$0.slides.isEmpty } }) {
            sentences.append("No piece has a text to read.")
        }
        if listeners > 0 {
            sentences.append("\(Self.countedNoun(listeners, "page")) of listeners will change at once.")
        }
        if !errors.isEmpty {
            let others =
                errors.count > Self.maximumNamedItems
                ? " And \(errors.count - Self.maximumNamedItems) more." : ""
            sentences.append(
                "\(Self.countedNoun(errors.count, "error")) found: "
                    + errors.prefix(Self.maximumNamedItems).joined(separator: " ") + others)
        }
        sentence = sentences.joined(separator: " ")
    }

    private static func countedNoun(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word)" : "\(count == 0 ? "no" : "\(count)") \(word)s"
    }

    private static func joinedNames(_ names: [String]) -> String {
        let shown = names.prefix(maximumNamedItems).map { "“\($0)”" }.joined(separator: ", ")
        return names.count > maximumNamedItems
            ? shown + " and \(names.count - maximumNamedItems) more" : shown
    }
}
