import Basics

/// A command of the title operator.
public enum TitleCommand: Hashable, Sendable {
    case next
    case previous
    /// Shows the title with this number, from 1, also if titles were hidden.
    case goTo(number: Int)
    /// Shows the title that belongs to a place in the piece, such as `57` or `C`.
    case goToPlace(String)
    /// Hides the title; the list can be moved on while it is hidden.
    case hide
    case reveal
    case blank(ScreenBlank)
    /// The titles follow the music again.
    case followMusic
    /// A person shows the titles; none is shown by itself.
    case byHand
    /// Ends the fade that is running.
    case endFade
    /// Shows the titles on listeners' phones too, or no longer.
    case onPhones(Bool)
    /// Leaves the title with this number out tonight, or no longer. The list itself stays.
    case skip(number: Int, Bool)

    public static let arguments =
        "next|previous|goto N|bar PLACE|hide|reveal|blank off|black|white|auto|by-hand|hurry|phones on|off|skip N|"
        + "unskip N"

    /// Parses a command from its words, such as `goto 12`.
    /// - Returns: nil if the words are no such command.
    public init?(words: [String]) {
        let argument = words.count == 2 ? words[1] : nil
        switch (words.first?.lowercased(), words.count) {
        case ("next", 1): self = .next
        case ("previous", 1): self = .previous
        case ("goto", 2), ("skip", 2), ("unskip", 2):
            guard let number = argument.flatMap({ Int($0) }), (1...TitleList.maximumCount).contains(number)
            else { return nil }
            let word = words[0].lowercased()
            self = word == "goto" ? .goTo(number: number) : .skip(number: number, word == "skip")
        case ("bar", 2):
            guard let argument, !argument.isEmpty, argument.utf8.count <= 200 else { return nil }
            self = .goToPlace(argument)
        case ("hide", 1): self = .hide
        case ("reveal", 1): self = .reveal
        case ("blank", 2):
            guard let blank = argument.flatMap({ ScreenBlank(commandWord: $0.lowercased()) }) else {
                return nil
            }
            self = .blank(blank)
        case ("auto", 1): self = .followMusic
        case ("by-hand", 1): self = .byHand
        case ("hurry", 1): self = .endFade
        case ("phones", 2):
            switch argument?.lowercased() {
            case "on", "1": self = .onPhones(true)
            case "off", "0": self = .onPhones(false)
            default: return nil
            }
        default: return nil
        }
    }

    /// The command as words that parse to the same command.
    public var words: [String] {
        switch self {
        case .next: ["next"]
        case .previous: ["previous"]
        case .goTo(let number): ["goto", "\(number)"]
        case .goToPlace(let place): ["bar", place]
        case .hide: ["hide"]
        case .reveal: ["reveal"]
        case .blank(let blank): ["blank", blank.commandWord]
        case .followMusic: ["auto"]
        case .byHand: ["by-hand"]
        case .endFade: ["hurry"]
        case .onPhones(let isOn): ["phones", isOn ? "on" : "off"]
        case .skip(let number, let isOn): [isOn ? "skip" : "unskip", "\(number)"]
        }
    }
}

/// The colour that covers a screen at once, whatever it showed; none uncovers it.
public enum ScreenBlank: String, Hashable, Sendable, Codable, CaseIterable {
    case none
    case black
    case white

    fileprivate init?(commandWord: String) {
        switch commandWord {
        case "off", "none", "0": self = .none
        case "black", "on", "1": self = .black
        case "white": self = .white
        default: return nil
        }
    }

    fileprivate var commandWord: String { self == .none ? "off" : rawValue }
}

/// The reason for refusing a title command; a refused command changes nothing.
public enum TitleRefusal: Explained, Hashable, Sendable {
    case noTitles
    case noFurtherTitle
    case noTitleBefore
    case noTitle(number: Int, count: Int)
    case noTitleAtPlace
    /// The command came so soon after a title that was shown by itself that it was meant for that one.
    case justShown(number: Int, milliseconds: Int64)

    public var sentence: String {
        switch self {
        case .noTitles: "This piece has no titles; add a list on the page /titles."
        case .noFurtherTitle: "This is the last title of the piece."
        case .noTitleBefore: "This is the first title of the piece."
        case .noTitle(let number, let count): "There is no title \(number); the piece has \(count)."
        case .noTitleAtPlace: "No title has begun at that place; choose one by its number."
        case .justShown(let number, let milliseconds):
            "Title \(number) had come by itself \(milliseconds) ms before, so it stays; press again if you meant the "
                + "one after it."
        }
    }
}
