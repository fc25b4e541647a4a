import Concert
import Content
import Digests
import Foundation
import Hosting
import Podium
import Score
import Synchronization
import WebServer

/// The audience page's side: says by events what the packets say to existing apps.
///
/// A position leaves at once with its effect, and whatever the desk's picture says otherwise (after a restart, when
/// another server has taken over) is put right with the next picture. Never ahead of the desk, never back unless
/// the desk says so.
package final class AudienceOutput: ShowOutput {
    private struct Said {
        var epoch = Epoch(term: 0, change: 0)
        var shown: AudiencePosition?
        var view = AudienceView.ended
        var phase = ConcertPhase.before
        var tempo = 1.0
        var piece: ShowPiece?
        /// What was published last, but for its number.
        var live: AudienceLive?
        var message: PushMessage?
        var messageAt: ShowTime?
        var hasMessage = false
    }

    private let hub: EventHub
    private let show: String
    private let content: @Sendable () -> ContentServed?
    private let clock: @Sendable () -> Int64
    private let said = Mutex(Said())

    /// - Parameters:
    ///   - show: names this show, equal after a restart that goes on with it: epochs of two shows are not compared.
    ///   - clock: milliseconds since the show began, going on over restarts: numbers the events.
    init(
        hub: EventHub, show: String,
        content: @escaping @Sendable () -> ContentServed?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.hub = hub
        self.show = show
        self.content = content
        self.clock = clock
        hub.keep("message", Array("null".utf8))
        said.withLock { tellLive(&$0) }
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        said.withLock { said in
            switch effect {
            case .holder(_, let epoch): said.epoch = max(said.epoch, epoch)
            case .show(let shown):
                // What no phone could be shown by packets is not shown here either.
                guard course.live(shown) != nil else { return }
                said.shown = shown
                said.piece = course.pieces[shown.piece]
                said.epoch = max(said.epoch, shown.epoch)
                // How the audience is to see it follows at once: it may be in the dark.
                if said.view != .ended { tellLive(&said) }
            case .endLive:
                said.shown = nil
                said.view = .ended
                tellLive(&said)
            case .audience(let view):
                said.view = view
                tellLive(&said)
            // Messages come with the picture, which follows at once and knows when they were announced.
            default: break
            }
        }
    }

    package func show(_ picture: DeskPicture) {
        let state = picture.state
        said.withLock { said in
            said.epoch = max(said.epoch, state.epoch)
            said.tempo = state.tempo
            said.phase = state.phase
            let shown = state.shown.flatMap { picture.course.live($0) == nil ? said.shown : $0 }
            if shown != said.shown || state.view != said.view {
                said.shown = shown
                said.view = state.view
                said.piece = shown.map { picture.course.pieces[$0.piece] }
            }
            tellLive(&said)
            tell(state, &said)
        }
    }

    package func close() async {}

    /// After an edit: the same position may bear another number in the content.
    func contentHasChanged() { said.withLock { tellLive(&$0) } }

    private func tellLive(_ said: inout Said) {
        var live = AudienceLive(show: show, epoch: said.epoch.description, view: said.view.rawValue)
        // The picture that says so comes after the first position.
        live.phase = (said.view == .ended ? said.phase : .during).rawValue
        if let shown = said.shown, let piece = said.piece {
            live.pieceName = piece.name.text
            live.measure = shown.printed
            let content = content()
            live.piece = content?.piece(named: piece.name)
            if let content, let index = live.piece {
                live.played = content.played(shown, in: index, of: piece)
            }
        }
        guard said.live.map({ !live.isSame(as: $0) }) ?? true else { return }
        live.tempo = thousandths(said.tempo)
        live.sequence = max((said.live?.sequence ?? -1) + 1, clock())
        said.live = live
        hub.publish("live", AudienceConcert.json(live))
    }

    /// The same text announced again is another message: it was asked for.
    private func tell(_ state: PodiumState, _ said: inout Said) {
        guard
            !said.hasMessage || state.message != said.message
                || (state.message != nil && state.messageAt != said.messageAt)
        else { return }
        (said.message, said.messageAt, said.hasMessage) = (state.message, state.messageAt, true)
        guard let message = state.message else { return hub.publish("message", Array("null".utf8)) }
        let sent = AudienceMessage(message, announcedAt: state.messageAt ?? .zero)
        hub.publish("message", AudienceConcert.json(sent))
    }
}

/// The audience's section `live`. Pages find every field: an unknown one is null.
struct AudienceLive: Encodable, Equatable {
    var show: String
    var epoch: String
    var sequence: Int64 = 0
    /// Counted as in the audience's concert; nil where it does not have the piece.
    @OrNull var piece: Int? = nil
    @OrNull var pieceName: String? = nil
    @OrNull var measure: Int? = nil
    @OrNull var played: Int? = nil
    var view: String
    /// How far the evening is: before, during or over.
    var phase = ConcertPhase.before.rawValue
    @OrNull var tempo: Double? = nil

    init(show: String, epoch: String, view: String) {
        self.show = show
        self.epoch = epoch
        self.view = view
    }

    /// But for the number and the tempo, which changes all the time.
    func isSame(as other: AudienceLive) -> Bool {
        var other = other
        (other.sequence, other.tempo) = (sequence, tempo)
        return self == other
    }
}

/// The audience's section `message`; null where there is none.
struct AudienceMessage: Encodable {
    /// Pages show each once. The same on every server of the show, before a restart and after it: made of the text
    /// and of the moment in the show's time, which the log carries.
    var id: String
    var title: String
    var body: String
    var style: String
    var buttonText: String

    init(_ message: PushMessage, announcedAt at: ShowTime) {
        id = String(Fingerprint.of(message.bytes), radix: 36) + "-" + String(at.milliseconds, radix: 36)
        title = message.title
        body = message.body
        style = message.style.spelling
        buttonText = message.buttonText
    }
}
