import Rehearsal
import WebServer

/// What is said to many stands at once.
extension LiveRoom {
    /// What leaves together.
    struct News {
        enum Kind {
            case event
            case live
        }

        var messages: [(kind: Kind, frame: StreamFrame, streams: [PersonalStream])] = []
        /// Stands that are to be told their page.
        var pages: [StandKey] = []
    }

    /// Lets everything leave together that is said meanwhile: in one packet to each stand, every message encoded once.
    ///
    /// Three hundred stands that turn to the same page cost one encoding, and one call of each event loop.
    func telling(_ work: () -> Void) {
        guard news == nil else { return work() }
        news = News()
        work()
        guard let said = news else { return }
        news = nil
        var bells = StreamBatch()
        for message in said.messages {
            switch message.kind {
            case .event: bells.send(message.frame, to: message.streams)
            case .live: bells.replace(Stand.Slot.live, message.frame, of: message.streams)
            }
        }
        let told = said.pages.compactMap { stands[$0] }
        for (view, turned) in Dictionary(grouping: told, by: { $0.lying?.turner.state.view }) {
            guard let view else { continue }
            let frame = StreamFrame(RoomJSON.bytes(RoomMessage.follow(view)))
            bells.replace(Stand.Slot.follow, frame, of: turned.lazy.map(\.stream))
        }
        bells.ring()
    }

    func tell(_ kind: News.Kind, _ frame: StreamFrame, _ streams: some Sequence<PersonalStream>) {
        telling { news?.messages.append((kind, frame, Array(streams))) }
    }
}
