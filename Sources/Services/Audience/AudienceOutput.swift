import Basics
import Concert
import Content
import Foundation
import Hosting
import Podium
import Score
import Synchronization
import WebServer

/// Publishes the position and the announced messages to the audience page, as server-sent events. Phone apps get the
/// same in packets.
///
/// A position is published at once when the show engine reports it as an effect. The engine's next snapshot corrects
/// the page where no effect was reported, for example after a restart or a takeover. The page is never ahead of the
/// show engine, and goes back only if the engine goes back.
package final class AudienceOutput: ShowOutput {
    private struct LastSent {
        var epoch = BatonEpoch(term: 0, handoverCount: 0)
        var shownPosition: AudiencePosition?
        var audienceView = AudienceView.ended
        var concertPhase = ConcertPhase.before
        var isIntermission = false
        /// True after a hard stop before the last measure of a piece.
        var isBrokenOff = false
        var tempo = 1.0
        var shownPiece: ShowPiece?
        /// The section `live` as it was published last.
        var liveSection: AudienceLiveSection?
        var announcedMessage: PushMessage?
        var messageAnnouncedAt: ShowTime?
        var hasSentMessage = false
        var title: AudienceTitleSection?
        var people: [Performer] = []
        var eveningName: String?
        var eveningDate: String?
    }

    private let eventHub: EventHub
    private let showID: String
    private let readServedConcert: @Sendable () -> PublishedConcert?
    private let readShowMilliseconds: @Sendable () -> Int64
    private let lastSent = Mutex(LastSent())

    /// Creates an output for one show.
    /// - Parameters:
    ///   - show: identifies the show and stays the same when a restart continues it; epochs are only comparable
    ///     within one show.
    ///   - clock: milliseconds since the show began, continuing across restarts; numbers the events.
    init(
        hub: EventHub, show: String,
        content: @escaping @Sendable () -> PublishedConcert?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.eventHub = hub
        self.showID = show
        self.readServedConcert = content
        self.readShowMilliseconds = clock
        hub.setStateSectionForNewListeners("message", Array("null".utf8))
        hub.setStateSectionForNewListeners("title", Array("null".utf8))
        hub.setStateSectionForNewListeners("people", Array("[]".utf8))
        lastSent.withLock { publishLivePosition(&$0) }
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        lastSent.withLock { lastSent in
            switch effect {
            case .holderChanged(_, let epoch): lastSent.epoch = max(lastSent.epoch, epoch)
            case .showPosition(let shown):
                // A position that cannot be put into a packet for phone apps is not shown on the page either.
                guard course.livePositionForPhones(shown) != nil else { return }
                lastSent.shownPosition = shown
                lastSent.shownPiece = course.pieces[shown.piece]
                lastSent.epoch = max(lastSent.epoch, shown.epoch)
                // While nothing is live, wait for the effect that says how the audience sees the position: the screen
                // may be black.
                if lastSent.audienceView != .ended { publishLivePosition(&lastSent) }
            case .endLivePosition:
                lastSent.shownPosition = nil
                lastSent.audienceView = .ended
                publishLivePosition(&lastSent)
            case .panicStep(.stop):
                if let shown = lastSent.shownPosition, let piece = lastSent.shownPiece {
                    lastSent.isBrokenOff = shown.played < piece.playedMeasureCount - 1
                }
            case .audienceViewChanged(let view):
                lastSent.audienceView = view
                publishLivePosition(&lastSent)
            case .titleChanged(let shown): publishTitle(shown, of: course, &lastSent)
            // Messages are sent with the next snapshot of the show, which says when they were announced.
            default: break
            }
        }
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let state = snapshot.state
        lastSent.withLock { lastSent in
            lastSent.epoch = max(lastSent.epoch, state.epoch)
            lastSent.tempo = state.tempo
            lastSent.concertPhase = state.phase
            lastSent.isIntermission = state.isIntermission
            lastSent.isBrokenOff =
                state.panic == .stop && state.isLive && state.mode != .finished
                && state.position.played < snapshot.piece.playedMeasureCount - 1
            let shown = state.shown.flatMap {
                snapshot.programme.livePositionForPhones($0) == nil ? lastSent.shownPosition : $0
            }
            if shown != lastSent.shownPosition || state.view != lastSent.audienceView {
                lastSent.shownPosition = shown
                lastSent.audienceView = state.view
                lastSent.shownPiece = shown.map { snapshot.programme.pieces[$0.piece] }
            }
            lastSent.eveningName = Self.nameForListeners(of: snapshot.programme.evening)
            lastSent.eveningDate = lastSent.eveningName.flatMap { _ in snapshot.programme.evening.date }
            publishLivePosition(&lastSent)
            publishMessageIfChanged(state, &lastSent)
            // Puts right what is no effect, such as an edited text; on a backup server it is all there is.
            publishTitle(state.shownTitle, of: snapshot.programme, &lastSent)
            publishPeople(of: snapshot.programme.evening, &lastSent)
        }
    }

    package func close() async {}

    /// Publishes the position again after an edit of the content, because the edit may have changed the numbers of
    /// measures.
    func republishAfterEdit() { lastSent.withLock { publishLivePosition(&$0) } }

    private func publishLivePosition(_ lastSent: inout LastSent) {
        var live = AudienceLiveSection(
            show: showID, epoch: lastSent.epoch.description, view: lastSent.audienceView.rawValue)
        (live.evening, live.date) = (lastSent.eveningName, lastSent.eveningDate)
        // A live position implies that the concert has begun; the first snapshot that says so comes later.
        live.phase = (lastSent.audienceView == .ended ? lastSent.concertPhase : .during).rawValue
        live.isIntermission = lastSent.audienceView == .ended && lastSent.isIntermission
        live.isBrokenOff = lastSent.audienceView == .ended && lastSent.isBrokenOff
        if let shown = lastSent.shownPosition, let piece = lastSent.shownPiece {
            live.pieceName = piece.name.text
            live.measure = shown.printed
            live.section = piece.section(at: shown.played)?.label
            live.nextSection = piece.sections.first { $0.start > shown.played }.map {
                AudienceLiveSection.NextSection(
                    label: $0.label, measure: piece.printedMeasure(at: $0.start))
            }
            let content = readServedConcert()
            live.piece = content?.pieceIndex(named: piece.name)
            if let content, let index = live.piece {
                live.played = content.correspondingContentMeasure(shown, in: index, of: piece)
            }
        }
        guard lastSent.liveSection.map({ !live.isSameExceptSequenceAndTempo(as: $0) }) ?? true else { return }
        live.tempo = roundedToThousandths(lastSent.tempo)
        live.sequence = max((lastSent.liveSection?.sequence ?? -1) + 1, readShowMilliseconds())
        lastSent.liveSection = live
        eventHub.publishStateSection("live", AudienceConcert.encodeJSON(live))
    }

    private func publishTitle(_ shown: ShownTitle?, of programme: ShowProgramme, _ lastSent: inout LastSent) {
        let title = AudienceTitleSection(shown, of: programme)
        guard title != lastSent.title else { return }
        lastSent.title = title
        eventHub.publishStateSection(
            "title", title.map { AudienceConcert.encodeJSON($0) } ?? Array("null".utf8))
    }

    /// The title of a concert that somebody has named; a rehearsal is not the listeners'.
    private static func nameForListeners(of evening: Evening) -> String? {
        let isNamed = ![Evening.unnamed.title, evening.kind.word].contains(evening.title)
        return evening.kind == .concert && isNamed ? evening.title : nil
    }

    /// Publishes those who perform in a concert; a rehearsal is not the listeners'.
    private func publishPeople(of evening: Evening, _ lastSent: inout LastSent) {
        let people = evening.kind == .concert ? evening.people : []
        guard people != lastSent.people else { return }
        lastSent.people = people
        eventHub.publishStateSection(
            "people", AudienceConcert.encodeJSON(people.map(AudienceConcert.Performer.init)))
    }

    /// Publishes the current message if it has changed. The same text counts as a new message if it is announced again.
    private func publishMessageIfChanged(_ state: PodiumState, _ lastSent: inout LastSent) {
        guard
            !lastSent.hasSentMessage || state.message != lastSent.announcedMessage
                || (state.message != nil && state.messageAt != lastSent.messageAnnouncedAt)
        else { return }
        (lastSent.announcedMessage, lastSent.messageAnnouncedAt, lastSent.hasSentMessage) = (
            state.message, state.messageAt, true
        )
        guard let message = state.message else {
            return eventHub.publishStateSection("message", Array("null".utf8))
        }
        let sent = AudienceMessageSection(message, announcedAt: state.messageAt ?? .zero)
        eventHub.publishStateSection("message", AudienceConcert.encodeJSON(sent))
    }
}

/// The section `live` of the audience's stream: the position, and the state of the audience's screens.
struct AudienceLiveSection: Encodable, Equatable {
    var show: String
    var epoch: String
    var sequence: Int64 = 0
    /// The index of the piece in the audience's concert; nil if the content does not have the piece.
    @OrNull var piece: Int? = nil
    @OrNull var pieceName: String? = nil
    @OrNull var measure: Int? = nil
    @OrNull var played: Int? = nil
    var view: String
    /// The phase of the concert: before, during or over.
    var phase = ConcertPhase.before.rawValue
    /// True while nothing is live because of a hard stop in the middle of a piece: the next piece does not come yet.
    var isBrokenOff = false
    /// True in an intermission.
    var isIntermission = false
    @OrNull var tempo: Double? = nil
    /// The title of the evening; nil if nobody has named it.
    var evening: String?
    /// The day for which a named evening is planned.
    var date: String?
    /// The section of the piece that sounds; nil before its first.
    var section: String?
    var nextSection: NextSection?

    /// The section after the one that sounds.
    struct NextSection: Encodable, Equatable {
        var label: String
        /// The printed number of its first measure.
        var measure: Int
    }

    init(show: String, epoch: String, view: String) {
        self.show = show
        self.epoch = epoch
        self.view = view
    }

    /// Compares two sections without their event numbers and tempi, which change all the time.
    func isSameExceptSequenceAndTempo(as other: AudienceLiveSection) -> Bool {
        var other = other
        (other.sequence, other.tempo) = (sequence, tempo)
        return self == other
    }
}

/// The section `message` of the audience's stream. It is sent while a message is announced; otherwise the section is
/// null.
struct AudienceMessageSection: Encodable {
    /// Identifies the announcement; a page shows each id once. The id is made from the text and the show time. The
    /// show log contains both, so the id is the same on both servers and after a restart.
    var id: String
    var title: String
    var body: String
    var style: String
    var buttonText: String

    init(_ message: PushMessage, announcedAt at: ShowTime) {
        id = String(FNV1aHash.of(message.bytes), radix: 36) + "-" + String(at.milliseconds, radix: 36)
        title = message.title
        body = message.body
        style = message.style.spelling
        buttonText = message.buttonText
    }
}
