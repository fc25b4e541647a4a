import Floor

/// An action of a speaker, as JSON from the page.
struct PresenterOrder: Decodable {
    var action: String
    var page: Int?
    var presenter: UInt8?
    var seconds: FloorSeconds?
    var on: Bool?
    var colour: FloorScreen.Blank?
    /// The name of a video.
    var name: String?
    /// A place in a video, in seconds from its beginning.
    var position: Double?

    /// The action of the floor; nil if there is no such action, or something that it needs is missing.
    var presenterAction: PresenterAction? {
        let other = presenter.map(FloorPresenter.ID.init(rawValue:))
        return switch action {
        case "request": .requestFloor
        case "withdraw-request": .withdrawRequest
        case "do-not-disturb": on.map { .setDoNotDisturb(isOn: $0) }
        case "next": .nextPage
        case "previous": .previousPage
        case "go-to": page.map { .goToPage(number: $0) }
        case "blank": colour.map { .blank(colour: $0) }
        case "hand-over": other.map { .handOver(to: $0) }
        case "lend": other.map { .lend(to: $0, seconds: seconds?.whole) }
        case "recall": .recallLoan(afterSeconds: seconds?.whole ?? 0)
        case "return": .returnFloor
        case "play": name.map { .playVideo(name: $0) }
        case "pause": .pauseVideo
        case "stop": .stopVideo
        case "seek": position.map { .seekVideo(seconds: $0) }
        case "leave": .unregister
        default: nil
        }
    }
}

/// Seconds as JSON. Every number is decoded, so that the floor refuses the impossible ones and says what is possible.
struct FloorSeconds: Decodable, ExpressibleByIntegerLiteral {
    /// The seconds; -1, which the floor always refuses, if they are not whole or too many for an integer.
    var whole: Int

    init(integerLiteral value: Int) { whole = value }

    init(from decoder: any Decoder) throws {
        whole = Int(exactly: try decoder.singleValueContainer().decode(Double.self)) ?? -1
    }
}
