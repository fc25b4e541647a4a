import Rehearsal
import WebServer

/// Sends messages to many stands in batches.
extension LiveRoom {
    /// Messages that are collected during one call of `telling` and sent together.
    struct News {
        enum Kind {
            case event
            case live
        }

        var messages: [(kind: Kind, frame: StreamFrame, streams: [PersonalStream])] = []
        /// Stands to which their current page must be sent.
        var pages: [StandKey] = []
    }

    /// Collects everything that `work` sends and sends it at the end: one packet for each stand, each message encoded
    /// once.
    ///
    /// Turning three hundred stands to the same page costs one encoding and one call of each event loop.
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
