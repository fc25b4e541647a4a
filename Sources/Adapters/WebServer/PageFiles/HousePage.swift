/// A page that people open by its name, with what it is for.
struct HousePage: Codable, Equatable, Sendable {
    var path: String
    var name: String
    /// The purpose of the page, in a few words.
    var purpose: String

    /// All such pages, in the order in which an evening needs them.
    private static let all = [
        HousePage(path: "/console", name: "Console", purpose: "Run tonight's performance"),
        HousePage(path: "/titles", name: "Titles", purpose: "Show them by hand or by the music"),
        HousePage(path: "/stand", name: "Music stand", purpose: "Read, rehearse, write remarks"),
        HousePage(path: "/practice", name: "Practice", purpose: "Play along, and hear what was off"),
        HousePage(path: "/microphone", name: "Microphone", purpose: "Let this device be the show's ear"),
        HousePage(path: "/present", name: "Speak", purpose: "Show slides on the screen"),
        HousePage(path: "/screen", name: "Screen", purpose: "What a projector shows"),
        HousePage(path: "/", name: "Listeners' page", purpose: "What the audience reads"),
        HousePage(path: "/poster", name: "Poster", purpose: "The way to the listeners' page, to print"),
        HousePage(path: "/prepare", name: "Prepare", purpose: "Make a recording a piece that is followed"),
        HousePage(path: "/edit", name: "Content", purpose: "Write what listeners and screens show"),
        HousePage(path: "/library", name: "Library", purpose: "Keep scores and parts"),
        HousePage(path: "/recordings", name: "Recordings", purpose: "What the server has heard"),
        HousePage(path: "/report", name: "Report", purpose: "How the evening went"),
        HousePage(path: "/diary", name: "Diary", purpose: "What was played, where and by whom"),
        HousePage(path: "/accounts", name: "Accounts", purpose: "Invite people, and say what they may do"),
        HousePage(path: "/start", name: "First steps", purpose: "Account, sound and a first piece"),
        HousePage(path: "/account", name: "My account", purpose: "Change the passphrase, sign out"),
    ]

    /// The pages that this person may open. Pages that whoever runs an evening needs are not listed for musicians.
    static func pages(for person: WebPerson?) -> [HousePage] {
        let mayCommand = RouteAccess.roles(WebRole.operators).admits(person)
        return all.filter { PageRules.access(to: $0.path).admits(person) && $0.isListed(for: person) }
            .map { mayCommand ? $0 : $0.forLooking }
    }

    /// The page as it is for somebody who may not command a running show.
    private var forLooking: HousePage {
        let purposes = [
            "/console": "See how tonight goes, write cues", "/titles": "See what is shown, load lists",
        ]
        var page = self
        if let purpose = purposes[path] { page.purpose = purpose }
        return page
    }

    /// Everybody may open the first steps and the poster, but they are of use to staff alone.
    private func isListed(for person: WebPerson?) -> Bool {
        guard path == "/start" || path == "/poster" || path == "/screen" else { return true }
        return RouteAccess.roles(WebRole.staff).admits(person)
    }
}
