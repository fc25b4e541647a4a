import WebServer

/// The reason why a request about tabs is refused.
enum PracticeRefusal: Error, Equatable {
    case noSuchTab
    case badID
    case badTitle
    case badVersion
    /// A sentence that says what is wrong with the tab.
    case notATab(String)
    case changedMeanwhile
    case tooManyTabs(Int)
    case accountFull(bytes: Int)
    case storageFull
    case ownName
    case tooManyReaders(Int)

    var response: WebResponse {
        switch self {
        case .noSuchTab:
            .refused(
                404, "no-tab", "There is no such tab; it may have been removed. Look through the list again.")
        case .badID:
            .refused(400, "bad-id", "A tab's id has 8 to 40 small letters, digits and hyphens.")
        case .badTitle:
            .refused(
                422, "bad-title", "A tab needs a title of at most 200 letters; give it one and save again.")
        case .badVersion:
            .refused(400, "bad-version", "Say the version that you have as a whole number.")
        case .notATab(let sentence):
            .refused(422, "bad-tab", sentence)
        case .changedMeanwhile:
            .refused(
                409, "changed",
                "The tab was changed on another device, so it was not removed; look at it first.")
        case .tooManyTabs(let most):
            .refused(
                507, "too-many", "You have \(most) tabs on the server, the most there may be; remove some.")
        case .accountFull(let bytes):
            .refused(507, "full", "Your tabs fill \(bytes >> 20) MB, the most there may be; remove some.")
        case .storageFull:
            .refused(
                507, "full",
                "The server's space for tabs is full; your tab stays on this device. Ask an administrator.")
        case .ownName:
            .refused(409, "yourself", "This is your own name; name the person who is to have the tab.")
        case .tooManyReaders(let most):
            .refused(
                507, "too-many",
                "\(most) people have this tab from you, the most there may be; end it for one of them first.")
        }
    }
}
