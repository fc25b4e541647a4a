/// A page that people open by its name, with what it is for.
struct HousePage: Codable, Equatable, Sendable {
    /// The three doors of the house: pages that belong to one work, and lead to each other in one step.
    enum Door: String, Codable, Sendable {
        case tonight = "Tonight"
        case pieces = "Pieces"
        case people = "People and place"
    }

    var path: String
    var name: String
    /// The purpose of the page, in a few words.
    var purpose: String
    /// The door it lies behind; nil for pages that everybody has.
    var door: Door?

    /// All such pages, in the order in which an evening needs them.
    private static let all = [
        HousePage(path: "/console", name: "Console", purpose: "Run tonight's performance", door: .tonight),
        HousePage(
            path: "/titles", name: "Titles", purpose: "Show them by hand or by the music", door: .tonight),
        HousePage(path: "/screen", name: "Screen", purpose: "What a projector shows", door: .tonight),
        HousePage(path: "/present", name: "Speak", purpose: "Show slides on the screen", door: .tonight),
        HousePage(path: "/", name: "Listeners' page", purpose: "What the audience reads", door: .tonight),
        HousePage(
            path: "/microphone", name: "Microphone", purpose: "Let this device be the show's ear",
            door: .tonight),
        HousePage(
            path: "/recordings", name: "Recordings", purpose: "What the server has heard", door: .tonight),
        HousePage(path: "/report", name: "Report", purpose: "How the evening went", door: .tonight),
        HousePage(
            path: "/prepare", name: "All pieces", purpose: "What each has and lacks; prepare a new one",
            door: .pieces),
        HousePage(path: "/library", name: "Library", purpose: "Keep scores and parts", door: .pieces),
        HousePage(
            path: "/edit", name: "Content", purpose: "Write what listeners and screens show", door: .pieces),
        HousePage(
            path: "/accounts", name: "Accounts", purpose: "Invite people, and say what they may do",
            door: .people),
        HousePage(
            path: "/start", name: "First steps", purpose: "Account, sound, a first piece, secure pages",
            door: .people),
        HousePage(path: "/stand", name: "Stand", purpose: "Read, rehearse, write remarks"),
        HousePage(path: "/practice", name: "Practice", purpose: "Play along, and hear what was off"),
        HousePage(path: "/diary", name: "Diary", purpose: "What was played, where and by whom"),
        HousePage(path: "/account", name: "My account", purpose: "Change the passphrase, sign out"),
    ]

    /// The pages that this person may open; everybody's own pages come first for those who run nothing. Pages that
    /// whoever runs an evening needs are not listed for musicians.
    static func pages(for person: WebPerson?) -> [HousePage] {
        let mayCommand = RouteAccess.roles(WebRole.evening).admits(person)
        let pages = all.filter { PageRules.access(to: $0.path).admits(person) && $0.isListed(for: person) }
            .map { mayCommand ? $0 : $0.forLooking }
        guard !RouteAccess.roles(WebRole.titleStaff).admits(person) else { return pages }
        return pages.filter { $0.door == nil } + pages.filter { $0.door != nil }
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

    /// Everybody may open the first steps and the screen, but they are of use to staff alone.
    private func isListed(for person: WebPerson?) -> Bool {
        switch path {
        case "/start": RouteAccess.roles(WebRole.staff).admits(person)
        case "/screen": RouteAccess.roles(WebRole.titleStaff).admits(person)
        default: true
        }
    }
}
