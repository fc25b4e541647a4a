/// The place at which a person reads an error; its advice names what can be done there.
enum AdviceReader: String, CaseIterable, Codable, Sendable {
    case command
    case page

    var furtherRecordingAdvice: String {
        switch self {
        case .command: "Add one more recording of the piece: prepare it with --add."
        case .page: "Add one more recording of the piece under Recordings, and prepare the piece again."
        }
    }

    /// - Parameter findsBars: whether there are bars that a person can accept although the score does not fit.
    func wrongScoreAdvice(findsBars: Bool) -> String {
        switch self {
        case .command:
            " Is it another piece or movement? Give its own score; or if you are sure, prepare it "
                + "with --insist and check every bar by ear."
        case .page:
            " Is it another piece or movement? Replace the score, or tap the bars instead."
                + (findsBars ? " If you are sure, keep it anyway, and check every bar by ear." : "")
        }
    }

    var giveTimesAdvice: String {
        switch self {
        case .command: "Give its measure times with --measures."
        case .page: "Tap its bars, or import their times."
        }
    }

    var routeOptionName: String {
        switch self {
        case .command: "--route: "
        case .page: "The bars were not found: "
        }
    }
}
