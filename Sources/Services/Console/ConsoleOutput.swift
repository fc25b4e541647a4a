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
        var positionSentAt = ShowTime.zero
        var cues: CuesSection?
        var cuesSentAt = ShowTime.zero
        var historyAppendedAt = ShowTime(milliseconds: -1_000)
        var confidencePoints: [ConfidencePoint] = []
        var programme: ShowProgramme?
        var pieceIndex: Int?
        var heardPieceIndices: [Int]?
        var shownMessage: PushMessage?
        var preparedMessages: [PushMessage]?
        /// The reason for each cue of the present piece that cannot be sent, by the cue's id.
        var unsendableCueReasons: [Cue.ID: String] = [:]
    }

    private let consoleStream: ConsoleStream
    private let makeServerJSON: @Sendable () -> ServerJSON
    private let loadPreparedMessages: @Sendable () -> [PushMessage]
    private let explainUnsendableCue: @Sendable (Cue) -> String?
    private let showStartTime: String
    private let goneOn: PodiumState?
    private let lastSentSections = Mutex(LastSentSections())
    /// Converts show time to times of day.
    private let timeOfDayConverter: TimeOfDayConverter

    /// Creates an output for all connected consoles.
    /// - Parameters:
    ///   - goneOn: where the evening went on after an interruption; nil if it was not interrupted.
    ///   - messages: returns the messages prepared in the concert's content.
    ///   - cueProblem: returns why a cue cannot be sent; nil if it can.
    package init(
        stream: ConsoleStream, started: String, goneOn: PodiumState? = nil, wall: TimeOfDayConverter,
        server: @escaping @Sendable () -> ServerJSON,
        messages: @escaping @Sendable () -> [PushMessage] = { [] },
        cueProblem: @escaping @Sendable (Cue) -> String? = { _ in nil }
    ) {
        self.consoleStream = stream
        self.showStartTime = started
        self.goneOn = goneOn
        self.timeOfDayConverter = wall
        self.makeServerJSON = server
        self.loadPreparedMessages = messages
        self.explainUnsendableCue = cueProblem
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .refused(let refusal):
            sendNotice(
                NoticeJSON(
                    kind: refusal.code == .misfire ? "misfire" : "refused", sentence: refusal.sentence,
                    code: refusal.code.rawValue))
        case .showNotice(_, let sentence): sendNotice(NoticeJSON(kind: "info", sentence: sentence))
        default: break
        }
    }

    private func sendNotice(_ notice: NoticeJSON) { consoleStream.sendOnce("notice", notice) }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        lastSentSections.withLock { sent in
            consoleStream.publish(
                .showSwitches,
                snapshot.showSwitchesSection(
                    server: makeServerJSON(), started: showStartTime, goneOn: goneOn))
            publishPosition(snapshot, &sent)
            if sent.programme != snapshot.programme || sent.pieceIndex != snapshot.state.piece
                || sent.heardPieceIndices != snapshot.state.heard
            {
                sent.programme = snapshot.programme
                sent.heardPieceIndices = snapshot.state.heard
                sent.pieceIndex = snapshot.state.piece
                consoleStream.publish(.programme, snapshot.programmeSection)
                sent.unsendableCueReasons = unsendableCueReasons(of: snapshot.piece)
            }
            publishCues(snapshot, &sent)
            publishMessages(snapshot, &sent)
            consoleStream.publish(
                .followerHelpRequest, OrNull(wrappedValue: snapshot.followerHelpRequestSection))
            consoleStream.publish(
                .faults, snapshot.makeFaultsJSON(wallClock: timeOfDayConverter.timeOfDayText))
            publishConfidenceHistory(snapshot, &sent)
        }
    }

    private func publishPosition(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let section = snapshot.positionSection
        let isNews = sent.position?.withContinuousFieldsZeroed != section.withContinuousFieldsZeroed
        guard isNews || snapshot.now.milliseconds(since: sent.positionSentAt) >= 200 else { return }
        sent.position = section
        sent.positionSentAt = snapshot.now
        consoleStream.publish(.position, section)
        if let follower = snapshot.followerSection { consoleStream.publish(.follower, follower) }
    }

    private func publishCues(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let section = snapshot.cuesSection(troubles: sent.unsendableCueReasons)
        let isNews = sent.cues?.withoutCountdownSeconds != section.withoutCountdownSeconds
        guard isNews || snapshot.now.milliseconds(since: sent.cuesSentAt) >= 500 else { return }
        sent.cues = section
        sent.cuesSentAt = snapshot.now
        consoleStream.publish(.cues, section)
    }

    private func unsendableCueReasons(of piece: ShowPiece) -> [Cue.ID: String] {
        Dictionary(
            piece.cues.cues.compactMap { cue in explainUnsendableCue(cue).map { (cue.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func publishMessages(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        let content = loadPreparedMessages()
        guard sent.preparedMessages != content || sent.shownMessage != snapshot.state.message else { return }
        (sent.preparedMessages, sent.shownMessage) = (content, snapshot.state.message)
        consoleStream.publish(.audienceMessage, snapshot.pushMessageSection(from: content))
    }

    private func publishConfidenceHistory(_ snapshot: ShowEngineSnapshot, _ sent: inout LastSentSections) {
        guard snapshot.now.milliseconds(since: sent.historyAppendedAt) >= 500, snapshot.newestReport != nil
        else {
            return
        }
        sent.historyAppendedAt = snapshot.now
        sent.confidencePoints.append(
            ConfidencePoint(
                showMilliseconds: snapshot.now.milliseconds, confidence: snapshot.confidenceInMusic,
                state: snapshot.state.mode.rawValue))
        if sent.confidencePoints.count > Self.maximumConfidencePoints { sent.confidencePoints.removeFirst() }
        consoleStream.storeForNewClients(
            .confidenceHistory, ConfidenceHistory(confidence: sent.confidencePoints))
    }

    /// The number of points in two minutes of history, with two points a second.
    private static let maximumConfidencePoints = 240
}
