import Rehearsal
import WebServer

/// Sends messages to many stands in batches.
extension RoomActor {
    /// Messages that are collected during one call of `batchingMessages` and then sent together.
    struct OutgoingBatch {
        enum Kind {
            case event
            case liveUpdate
        }

        var messages: [(kind: Kind, frame: EncodedStreamMessage, streams: [PersonalStream])] = []
        /// Stands to which the batch sends their current page.
        var standsNeedingPage: [StandKey] = []
    }

    /// Collects everything that `work` sends, and sends it at the end: one packet for each stand, with each message
    /// encoded only once.
    ///
    /// Turning three hundred stands to the same page costs one encoding and one call of each event loop.
    func batchingMessages(_ work: () -> Void) {
        guard outgoingBatch == nil else { return work() }
        outgoingBatch = OutgoingBatch()
        work()
        guard let finishedBatch = outgoingBatch else { return }
        outgoingBatch = nil
        var batch = StreamMessageBatch()
        for message in finishedBatch.messages {
            switch message.kind {
            case .event: batch.send(message.frame, to: message.streams)
            case .liveUpdate:
                batch.replaceSlotValue(Stand.StreamSlot.liveUpdate, message.frame, of: message.streams)
            }
        }
        let standsToUpdate = finishedBatch.standsNeedingPage.compactMap { stands[$0] }
            .filter { $0.shownPart?.score == state.named(openScoreID) }
        for (view, turned) in Dictionary(
            grouping: standsToUpdate, by: { $0.shownPart?.pageTurner.state.view })
        {
            guard let view else { continue }
            var told = view
            told.score = state.named(openScoreID)
            let frame = EncodedStreamMessage(RoomJSON.encode(RoomMessage.followerPage(told)))
            batch.replaceSlotValue(Stand.StreamSlot.page, frame, of: turned.lazy.map(\.stream))
        }
        batch.ring()
    }

    func queueMessage(
        _ kind: OutgoingBatch.Kind, _ frame: EncodedStreamMessage, _ streams: some Sequence<PersonalStream>
    ) {
        batchingMessages { outgoingBatch?.messages.append((kind, frame, Array(streams))) }
    }
}
