import Catalogue
import Concert
import Content
import Hosting

/// The consequences for listeners of serving another concert. An editor must read and confirm them.
struct ServingPlan: Encodable {
    /// Most errors and pieces that the plan's sentence names.
    private static let mostNamed = 5

    struct PlannedConcert: Encodable {
        var concert: Int64
        var title: String
    }

    var concert: Int64
    var title: String
    /// The concert that listeners get now; nil if there is none.
    @OrNull var now: PlannedConcert?
    /// Number of connected listeners, whose pages change at once.
    var listeners: Int
    var pieces: [String]
    /// Pieces of the present concert that listeners would lose.
    var gone: [String]
    /// Sentences of all findings of severity error.
    var errors: [String]
    /// The whole plan as text for the editor.
    var sentence: String
    /// Reason why this concert cannot be served now; nil if it can.
    @OrNull var refused: ServingRefusal?
    /// Token that the page sends back to confirm exactly this change; it differs for any other change.
    var confirm: String

    struct ServingRefusal: Encodable {
        var code: String
        var sentence: String
    }

    /// - Parameters:
    ///   - document: the concert that listeners would get.
    ///   - served: the concert that listeners get now; nil if there is none.
    init(_ id: Int64, _ document: CatalogueConcert, served: PublishedConcert?, listeners: Int, isLocked: Bool)
    {
        concert = id
        title = document.concert.title
        self.listeners = listeners
        now = served.map { PlannedConcert(concert: $0.id, title: $0.document.concert.title) }
        let new = document.concert.pieces.map(\.name.text)
        let old = served?.document.concert.pieces.map(\.name.text) ?? []
        pieces = new
        gone = old.filter { !new.contains($0) }
        errors = ContentCheck.findings(in: document.concert, assets: document.imageNames)
            .filter { $0.severity == .error }.map(\.sentence)
        confirm = "\(served?.revision ?? "none")-\(id).\(document.tree.revision)"
        let name = title.isEmpty ? "The concert" : "“\(title)”"
        refused = nil
        sentence = ""
        if isLocked {
            refused = ServingRefusal(
                code: "locked",
                sentence: "The show is locked, so listeners keep their concert; unlock the show first.")
        } else if pieces.isEmpty {
            refused = ServingRefusal(
                code: "empty", sentence: "\(name) has no piece; listeners would see nothing. Add one first.")
        }
        var sentences = ["Listeners will see \(name) with \(Self.counted(pieces.count, "piece"))"]
        sentences[0] +=
            now.map { " instead of “\($0.title)” with \(Self.counted(old.count, "piece"))." } ?? "."
        if !gone.isEmpty { sentences.append("They will no longer see \(Self.listed(gone)).") }
        if !document.concert.pieces.contains(where: { $0.tracks.contains { !$0.slides.isEmpty } }) {
            sentences.append("No piece has a text to read.")
        }
        if listeners > 0 {
            sentences.append("\(Self.counted(listeners, "page")) of listeners will change at once.")
        }
        if !errors.isEmpty {
            let others = errors.count > Self.mostNamed ? " And \(errors.count - Self.mostNamed) more." : ""
            sentences.append(
                "\(Self.counted(errors.count, "error")) found: "
                    + errors.prefix(Self.mostNamed).joined(separator: " ") + others)
        }
        sentence = sentences.joined(separator: " ")
    }

    private static func counted(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word)" : "\(count == 0 ? "no" : "\(count)") \(word)s"
    }

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(mostNamed).map { "“\($0)”" }.joined(separator: ", ")
        return names.count > mostNamed ? shown + " and \(names.count - mostNamed) more" : shown
    }
}

/// The response to an unconfirmed request to serve a concert: listeners only get what an editor has seen.
struct UnconfirmedServingAnswer: Encodable {
    var error: String
    var code = "confirm"
    var plan: ServingPlan
}
