import Concert
import Foundation
import Hosting
import Podium
import Synchronization
import WebServer

/// Sends changed sections of the show's snapshot to all connected consoles.
///
/// `position` is sent at once when anything but its continuously moving fields changes; those are sent five times a
/// second. `cues` likewise, with its countdown twice a second. An unchanged section is not sent again.
package final class ConsoleOutput: ShowOutput {
    private struct Sent {
        var position: PositionSection?
        var positionAt = ShowTime.zero
        var cues: CuesSection?
        var cuesAt = ShowTime.zero
        var historyAt = ShowTime(milliseconds: -1_000)
        var history: [HistoryPoint] = []
        var course: ShowProgramme?
        var piece: Int?
        var heard: [Int]?
        var message: PushMessage?
        var content: [PushMessage]?
        /// For each cue of the present piece that cannot be sent, the reason.
        var troubles: [Cue.ID: String] = [:]
    }

    private let stream: ConsoleStream
    private let server: @Sendable () -> ServerField
    private let messages: @Sendable () -> [PushMessage]
    private let cueTrouble: @Sendable (Cue) -> String?
    private let started: String
    private let sent = Mutex(Sent())
    /// Converts show time to times of day.
    private let wall: WallOffset

    /// - Parameters:
    ///   - messages: the messages prepared in the concert's content.
    ///   - cueTrouble: why a cue cannot be sent; nil if it can.
    package init(
        stream: ConsoleStream, started: String, wall: WallOffset,
        server: @escaping @Sendable () -> ServerField,
        messages: @escaping @Sendable () -> [PushMessage] = { [] },
        cueTrouble: @escaping @Sendable (Cue) -> String? = { _ in nil }
    ) {
        self.stream = stream
        self.started = started
        self.wall = wall
        self.server = server
        self.messages = messages
        self.cueTrouble = cueTrouble
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .refused(let refusal):
            pass(
                NoticeField(
                    kind: refusal.code == .misfire ? "misfire" : "refused", sentence: refusal.sentence))
        case .notice(_, let sentence): pass(NoticeField(kind: "info", sentence: sentence))
        default: break
        }
    }

    private func pass(_ notice: NoticeField) { stream.pass("notice", notice) }

    package func show(_ picture: DeskPicture) {
        sent.withLock { sent in
            stream.publish(.show, picture.showSection(server: server(), started: started))
            publishPosition(picture, &sent)
            if sent.course != picture.course || sent.piece != picture.state.piece
                || sent.heard != picture.state.heard
            {
                sent.course = picture.course
                sent.heard = picture.state.heard
                sent.piece = picture.state.piece
                stream.publish(.programme, picture.programmeSection)
                sent.troubles = troubles(of: picture.piece)
            }
            publishCues(picture, &sent)
            publishMessages(picture, &sent)
            stream.publish(.help, OrNull(wrappedValue: picture.helpSection))
            stream.publish(.faults, picture.faultFields(wallClock: wall.clock))
            publishHistory(picture, &sent)
        }
    }

    private func publishPosition(_ picture: DeskPicture, _ sent: inout Sent) {
        let section = picture.positionSection
        let isNews = sent.position?.standing != section.standing
        guard isNews || picture.now.milliseconds(since: sent.positionAt) >= 200 else { return }
        sent.position = section
        sent.positionAt = picture.now
        stream.publish(.position, section)
        if let follower = picture.followerSection { stream.publish(.follower, follower) }
    }

    private func publishCues(_ picture: DeskPicture, _ sent: inout Sent) {
        let section = picture.cuesSection(troubles: sent.troubles)
        let isNews = sent.cues?.standing != section.standing
        guard isNews || picture.now.milliseconds(since: sent.cuesAt) >= 500 else { return }
        sent.cues = section
        sent.cuesAt = picture.now
        stream.publish(.cues, section)
    }

    private func troubles(of piece: ShowPiece) -> [Cue.ID: String] {
        Dictionary(
            piece.cues.cues.compactMap { cue in cueTrouble(cue).map { (cue.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func publishMessages(_ picture: DeskPicture, _ sent: inout Sent) {
        let content = messages()
        guard sent.content != content || sent.message != picture.state.message else { return }
        (sent.content, sent.message) = (content, picture.state.message)
        stream.publish(.message, picture.messageSection(from: content))
    }

    private func publishHistory(_ picture: DeskPicture, _ sent: inout Sent) {
        guard picture.now.milliseconds(since: sent.historyAt) >= 500, picture.newest != nil else { return }
        sent.historyAt = picture.now
        sent.history.append(
            HistoryPoint(
                at: picture.now.milliseconds, confidence: picture.heardConfidence,
                state: picture.state.mode.rawValue))
        if sent.history.count > Self.historyPoints { sent.history.removeFirst() }
        stream.keep(.history, History(confidence: sent.history))
    }

    /// Two minutes, at two points a second.
    private static let historyPoints = 240
}
