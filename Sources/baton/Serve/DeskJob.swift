import Podium
import ShowLog

extension ShowDesk {
    /// What came of a command.
    enum Answer: Sendable {
        case done(Epoch)
        /// Done, but not on the disk: a restart may not know of it.
        case notWritten(Epoch, ShowLogFault)
        case refused(Refusal, Epoch)
        /// More waits than a person or a show desk can have meant.
        case busy
        /// Another server reigns; ask there.
        case notReigning
    }

    enum Job: Sendable {
        case event(PodiumEvent, answer: (@Sendable (Answer) -> Void)?)
        /// An edit of one piece's cues, made to the course as it is when its turn comes.
        case cues(CueList, piece: Int, answer: @Sendable (Answer) -> Void)
        /// Something that must happen between two events.
        case act(@Sendable (inout DeskReign) -> Void)
    }
}

extension ShowDesk.Job {
    var isAct: Bool { if case .act = self { true } else { false } }

    var answer: (@Sendable (ShowDesk.Answer) -> Void)? {
        switch self {
        case .event(_, let answer): answer
        case .cues(_, _, let answer): answer
        case .act: nil
        }
    }
}

extension ShowDesk.Answer {
    /// Why it was not done and what to do; nil where it was.
    var sentence: String? {
        switch self {
        case .done: nil
        case .notWritten(_, let fault):
            "This was done, so do not repeat it; but it could not be written down, and a restart now would not know "
                + "of it. \(fault.sentence)"
        case .refused(let refusal, _): refusal.sentence
        case .busy: "More commands are waiting than the desk can mean; send fewer, or try again in a second."
        case .notReigning: "This server is the backup; give the command to the main one."
        }
    }
}
