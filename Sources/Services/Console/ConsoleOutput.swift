import Concert
import Foundation
import Hosting
import Podium
import Synchronization
import WebServer

/// Sends changed sections of the show's snapshot to all connected consoles.
///
/// The section `position` is sent at once when anything changes except its continuously changing fields, and otherwise
/// five times a second. The section `cues` is sent in the same way, but its countdown only twice a second. An unchanged
/// section is not sent again.
package final class ConsoleOutput: ShowOutput {
    private struct LastSentSections {
        var position: PositionSection?
        var positionAt = ShowTime.zero
        var cues: CuesSection?
        var cuesAt = ShowTime.zero
        var historyAt = ShowTime(milliseconds: -1_000)
        var history: [ConfidencePoint] = []
        var programme: ShowProgramme?
        var piece: Int?
        var heardPieces: [Int]?
        var message: PushMessage?
        var preparedMessages: [PushMessage]?
        /// The reason for each cue of the present piece that cannot be sent, by the cue's id.
        var unsendableCueReasons: [Cue.ID: String] = [:]
    }

    private let stream: ConsoleStream
    private let server: @Sendable () -> ServerJSON
    private let messages: @Sendable () -> [PushMessage]
    private let cueProblem: @Sendable (Cue) -> String?
    private let started: String
    private let sent = Mutex(LastSentSections())
    /// Converts show time to times of day.
    private let timeOfDayConverter: TimeOfDayConverter

    /// Creates an output for all connected consoles.
    /// - Parameters:
    ///   - messages: returns the messages prepared in the concert's content.
    ///   - cueProblem: returns why a cue cannot be sent; nil if it can.
    package init(
        stream: ConsoleStream, started: String, wall: TimeOfDayConverter,
        server: @escaping @Sendable () -> ServerJSON,
        messages: @escaping @Sendable () -> [PushMessage] = { [] },
        cueProblem: @escaping @Sendable (Cue) -> String? = { _ in nil }
    ) {
        self.stream = stream
        self.started = started
        self.timeOfDayConverter = wall
        self.server = server
        self.messages = messages
        self.cueProblem = cueProblem
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .refused(let refusal):
            sendNotice(
                NoticeJSON(
                    kind: refusal.code == .misfire ? "misfire" : "refused", sentence: refusal.sentence))
        case .notice(_, let sentence): sendNotice(NoticeJSON(kind: "info", sentence: sentence))
        default: break
        }
    }

    private func sendNotice(_ notice: NoticeJSON) { stream.sendOnce("notice", notice) }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        sent.withLock { sent in
            stream.publish(.show, snapshot.showSection(server: server(), started: started))
            publishPosition(snapshot, &sent)
            if sent.programme != snapshot.programme || sent.piece != snapshot.state.piece
                || sent.heardPieces != snapshot.state.heard
            {
                sent.programme = snapshot.programme
                sent.heardPieces = snapshot.state.heard
                sent.piece = snapshot.state.piece
                stream.publish(.programme, snapshot.programmeSection)
                sent.unsendableCueReasons = unsendableCueReasons(of: snapshot.piece)
            }
            publishCues(snapshot, &sent)
            publishMessages(snapshot, &sent)
            stream.publish(.help, OrNull(wrappedValue: snapshot.helpSection))
            stream.publish(.faults, snapshot.faultFields(wallClock: timeOfDayConverter.timeOfDay))
            publishHistory(snapshot, &sent)
        }
    }

    private func publishPosition(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let section = snapshot.positionSection
        let isNews = sent.position?.withoutMovingFields != section.withoutMovingFields
        guard isNews || snapshot.now.milliseconds(since: sent.positionAt) >= 200 else { return }
        sent.position = section
        sent.positionAt = snapshot.now
        stream.publish(.position, section)
        if let follower = snapshot.followerSection { stream.publish(.follower, follower) }
    }

    private func publishCues(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let section = snapshot.cuesSection(troubles: sent.unsendableCueReasons)
        let isNews = sent.cues?.withoutMovingFields != section.withoutMovingFields
        guard isNews || snapshot.now.milliseconds(since: sent.cuesAt) >= 500 else { return }
        sent.cues = section
        sent.cuesAt = snapshot.now
        stream.publish(.cues, section)
    }

    private func unsendableCueReasons(of piece: ShowPiece) -> [Cue.ID: String] {
        Dictionary(
            piece.cues.cues.compactMap { cue in cueProblem(cue).map { (cue.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func publishMessages(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let content = messages()
        guard sent.preparedMessages != content || sent.message != snapshot.state.message else { return }
        (sent.preparedMessages, sent.message) = (content, snapshot.state.message)
        stream.publish(.message, snapshot.messageSection(from: content))
    }

    private func publishHistory(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        guard snapshot.now.milliseconds(since: sent.historyAt) >= 500, snapshot.newestReport != nil else {
            return
        }
        sent.historyAt = snapshot.now
        sent.history.append(
            ConfidencePoint(
                showMilliseconds: snapshot.now.milliseconds, confidence: snapshot.confidenceInMusic,
                state: snapshot.state.mode.rawValue))
        if sent.history.count > Self.mostHistoryPoints { sent.history.removeFirst() }
        stream.storeForNewClients(.history, ConfidenceHistory(confidence: sent.history))
    }

    /// The number of points in two minutes of history, with two points a second.
    private static let mostHistoryPoints = 240
}
