import Concert
import Content
import Digests
import Foundation
import Hosting
import Podium
import Score
import Synchronization
import WebServer

/// Publishes the position and messages to the audience page as server-sent events, as packets do to the phone apps.
///
/// A position is sent at once with its effect. The next snapshot of the show corrects whatever the effects did not
/// say, for example after a restart or a takeover. The page is never ahead of the show engine, and goes back only if
/// the engine does.
package final class AudienceOutput: ShowOutput {
    private struct Said {
        var epoch = Epoch(term: 0, change: 0)
        var shown: AudiencePosition?
        var view = AudienceView.ended
        var phase = ConcertPhase.before
        var tempo = 1.0
        var piece: ShowPiece?
        /// The value that was published last.
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
    ///   - show: identifies the show and stays the same when a restart continues it; epochs are only comparable
    ///     within one show.
    ///   - clock: milliseconds since the show began, continuing across restarts; numbers the events.
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
                // A position that cannot be put into a packet for phone apps is not shown on the page either.
                guard course.live(shown) != nil else { return }
                said.shown = shown
                said.piece = course.pieces[shown.piece]
                said.epoch = max(said.epoch, shown.epoch)
                // While nothing is live, wait for the effect that says how the audience sees the position: the screen
                // may be black.
                if said.view != .ended { tellLive(&said) }
            case .endLive:
                said.shown = nil
                said.view = .ended
                tellLive(&said)
            case .audience(let view):
                said.view = view
                tellLive(&said)
            // Messages are sent with the next snapshot of the show, which says when they were announced.
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

    /// Publishes the position again after an edit of the content, in which the same measure may have another number.
    func contentHasChanged() { said.withLock { tellLive(&$0) } }

    private func tellLive(_ said: inout Said) {
        var live = AudienceLive(show: show, epoch: said.epoch.description, view: said.view.rawValue)
        // A live position implies that the concert has begun; the first snapshot that says so comes later.
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

    /// Publishes the current message if it changed. The same text announced again counts as a new message.
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

/// The audience's section `live`: the position and how it is shown.
struct AudienceLive: Encodable, Equatable {
    var show: String
    var epoch: String
    var sequence: Int64 = 0
    /// The piece's index in the audience's concert; nil if the content does not have the piece.
    @OrNull var piece: Int? = nil
    @OrNull var pieceName: String? = nil
    @OrNull var measure: Int? = nil
    @OrNull var played: Int? = nil
    var view: String
    /// The phase of the concert: before, during or over.
    var phase = ConcertPhase.before.rawValue
    @OrNull var tempo: Double? = nil

    init(show: String, epoch: String, view: String) {
        self.show = show
        self.epoch = epoch
        self.view = view
    }

    /// Equality without the event's number and the tempo, which changes all the time.
    func isSame(as other: AudienceLive) -> Bool {
        var other = other
        (other.sequence, other.tempo) = (sequence, tempo)
        return self == other
    }
}

/// The audience's section `message`: the announced message, or null if there is none.
struct AudienceMessage: Encodable {
    /// Identifies the announcement; a page shows each id once. It is made from the text and the show time, both of
    /// which are in the show log, so that it is the same on both servers and after a restart.
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
