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

    /// The refusal of a score that is not that of the recording. The page has buttons for the other ways.
    /// - Parameters:
    ///   - difference: the sentence that says what differs.
    ///   - findsBars: whether there are bars that a person can accept although the score does not fit.
    func wrongScoreSentence(
        _ difference: String, recording: String, score: String, findsBars: Bool
    ) -> String {
        switch self {
        case .command:
            difference + " Is it another piece or movement? Give its own score"
                + (findsBars
                    ? "; or if you are sure, prepare it with --insist and check every bar by ear." : ".")
        case .page:
            "\(recording) does not sound like \(score): choose the score of the piece and movement that is played."
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
