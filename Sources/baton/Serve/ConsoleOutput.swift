import Concert
import Foundation
import Podium
import Synchronization
import WebServer

/// The consoles' side: sections that have changed go to every console that listens.
///
/// `position` leaves at once where anything in it changes but what moves all the time, which goes five times a
/// second; `cues` likewise, its countdown twice a second; `meters` ten times. A section whose bytes are as before
/// is not sent again.
final class ConsoleOutput: ShowOutput {
    private struct Sent {
        var bytes: [ConsoleSection: [UInt8]] = [:]
        var position: PositionSection?
        var positionAt = ShowTime.zero
        var cues: CuesSection?
        var cuesAt = ShowTime.zero
        var metersAt = ShowTime(milliseconds: -1_000)
        var historyAt = ShowTime(milliseconds: -1_000)
        var history: [HistoryPoint] = []
        var course: ShowCourse?
        var piece: Int?
        var heard: [Int]?
        var message: PushMessage?
        var content: [PushMessage]?
        /// Why cues of the present piece cannot be sent.
        var troubles: [Cue.ID: String] = [:]
        /// What was said before there was anybody to tell.
        var early: [ConsoleSection] = []
    }

    private let late: Late<EventHub>
    private let meters: @Sendable (DeskPicture) -> MetersSection
    private let server: @Sendable () -> ShowFlagsSection.Server
    private let messages: @Sendable () -> [PushMessage]
    private let cueTargets: CueTargets?
    private let started: String
    private let sent = Mutex(Sent())
    /// Show time against the wall clock, for people.
    private let wall: WallOffset

    /// - Parameters:
    ///   - messages: made ready in the content of the concert.
    ///   - cueTargets: by which cues are judged; nil for no judgement.
    init(
        hub: Late<EventHub>, started: String, wall: WallOffset,
        server: @escaping @Sendable () -> ShowFlagsSection.Server,
        meters: @escaping @Sendable (DeskPicture) -> MetersSection,
        messages: @escaping @Sendable () -> [PushMessage] = { [] }, cueTargets: CueTargets? = nil
    ) {
        late = hub
        self.started = started
        self.wall = wall
        self.server = server
        self.meters = meters
        self.messages = messages
        self.cueTargets = cueTargets
    }

    func carry(_ effect: PodiumEffect, of course: ShowCourse) {
        switch effect {
        case .refused(let refusal):
            pass(
                NoticeField(
                    kind: refusal.code == .misfire ? "misfire" : "refused", sentence: refusal.sentence))
        case .notice(_, let sentence): pass(NoticeField(kind: "info", sentence: sentence))
        default: break
        }
    }

    private func pass(_ notice: NoticeField) { late.value?.pass("notice", bytes(of: notice)) }

    func show(_ picture: DeskPicture) {
        sent.withLock { sent in
            publish(.show, picture.showSection(server: server(), started: started), &sent)
            publishPosition(picture, &sent)
            if sent.course != picture.course || sent.piece != picture.state.piece
                || sent.heard != picture.state.heard
            {
                sent.course = picture.course
                sent.heard = picture.state.heard
                sent.piece = picture.state.piece
                publish(.programme, picture.programmeSection, &sent)
                sent.troubles = troubles(of: picture.piece)
            }
            publishCues(picture, &sent)
            publishMessages(picture, &sent)
            publish(.help, OrNull(wrappedValue: picture.helpSection), &sent)
            publish(.faults, picture.faultFields(wallClock: wall.clock), &sent)
            publishMeters(picture, &sent)
        }
    }

    /// A section that somebody else than the desk makes.
    func publish(_ section: ConsoleSection, _ value: some Encodable) {
        sent.withLock { publish(section, value, &$0) }
    }

    private func publishPosition(_ picture: DeskPicture, _ sent: inout Sent) {
        let section = picture.positionSection
        let isNews = sent.position?.standing != section.standing
        guard isNews || picture.now.milliseconds(since: sent.positionAt) >= 200 else { return }
        sent.position = section
        sent.positionAt = picture.now
        publish(.position, section, &sent)
        if let follower = picture.followerSection { publish(.follower, follower, &sent) }
    }

    private func publishCues(_ picture: DeskPicture, _ sent: inout Sent) {
        let section = picture.cuesSection(troubles: sent.troubles)
        let isNews = sent.cues?.standing != section.standing
        guard isNews || picture.now.milliseconds(since: sent.cuesAt) >= 500 else { return }
        sent.cues = section
        sent.cuesAt = picture.now
        publish(.cues, section, &sent)
    }

    private func troubles(of piece: ShowPiece) -> [Cue.ID: String] {
        guard let cueTargets else { return [:] }
        return Dictionary(
            piece.cues.cues.compactMap { cue in cueTargets.trouble(of: cue).map { (cue.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func publishMessages(_ picture: DeskPicture, _ sent: inout Sent) {
        let content = messages()
        guard sent.content != content || sent.message != picture.state.message else { return }
        (sent.content, sent.message) = (content, picture.state.message)
        publish(.message, picture.messageSection(from: content), &sent)
    }

    private func publishMeters(_ picture: DeskPicture, _ sent: inout Sent) {
        guard picture.now.milliseconds(since: sent.metersAt) >= 100 else { return }
        sent.metersAt = picture.now
        publish(.meters, meters(picture), &sent)
        guard picture.now.milliseconds(since: sent.historyAt) >= 500, picture.newest != nil else { return }
        sent.historyAt = picture.now
        sent.history.append(
            HistoryPoint(
                at: picture.now.milliseconds, confidence: picture.heardConfidence,
                state: picture.state.mode.rawValue))
        if sent.history.count > Self.historyPoints { sent.history.removeFirst() }
        late.value?.keep(ConsoleSection.history.rawValue, bytes(of: History(confidence: sent.history)))
    }

    /// Two minutes.
    private static let historyPoints = 240

    private func publish(_ section: ConsoleSection, _ value: some Encodable, _ sent: inout Sent) {
        let bytes = bytes(of: value)
        guard sent.bytes[section] != bytes else { return }
        sent.bytes[section] = bytes
        guard let hub = late.value else {
            sent.early.append(section)
            return
        }
        for early in sent.early where early != section {
            if let bytes = sent.bytes[early] { hub.publish(early.rawValue, bytes) }
        }
        sent.early.removeAll()
        hub.publish(section.rawValue, bytes)
    }

    private func bytes(of value: some Encodable) -> [UInt8] { JSONBody.encode(value) }
}
