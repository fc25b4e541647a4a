import Hosting
import Podium
import Titles

/// The section `title` of the audience's stream: the title that the screens show, for listeners who read it on their
/// phones. The section is null unless an operator has allowed titles on phones and the piece has any.
struct AudienceTitleSection: Encodable, Equatable {
    /// All languages of the piece's titles, from which a listener chooses; “” for a language without a name.
    var languages: [String]
    /// The text in each language; empty while no title is shown.
    var texts: [String: String]

    /// - Returns: nil if phones show no titles now.
    init?(_ shown: ShownTitle?, of programme: ShowProgramme) {
        guard let shown, shown.isOnPhones, programme.pieces.indices.contains(shown.piece) else { return nil }
        let list = programme.pieces[shown.piece].titles
        guard !list.isEmpty else { return nil }
        languages = list.languages
        texts = [:]
        guard !shown.isHidden, shown.blank == .none, let number = shown.number,
            list.titles.indices.contains(number - 1)
        else { return }
        for text in list.titles[number - 1].texts where !text.text.isEmpty {
            texts[text.language] = text.text
        }
    }
}
