import NIOCore

/// The listeners of a hub whose connections run on the same event loop.
///
/// Each event wakes the loop once, however many listeners there are, and the loop writes to all of them. Events
/// published before it starts are written together. So two thousand listeners cost two wake-ups on a machine with two
/// cores, instead of two thousand.
///
/// @unchecked Sendable: the comment on each property names its guard.
final class ListenerGroup: @unchecked Sendable {
    let loop: any EventLoop
    /// The number of present listeners. Used only under the hub's lock.
    var listenerCount = 0
    /// True if the event loop was woken and has not started to write yet. Used only under the hub's lock.
    var isWakeUpPending = false
    /// The listeners' stream writers. Used only on the event loop.
    private var writers: [HubStreamWriter] = []

    init(loop: any EventLoop) { self.loop = loop }

    /// Schedules a write to all listeners on the event loop. It may be called from any thread.
    func scheduleWrite(_ hub: EventHub) { loop.execute { self.writeToAll(hub) } }

    private func writeToAll(_ hub: EventHub) {
        // This must come first, so that every later event wakes the loop again.
        hub.acknowledgeWakeUp(self)
        // The slice is a copy: listeners that leave in the meantime are skipped, and new ones get their events when
        // they join.
        writeInBatches(writers[...], hub)
    }

    private func writeInBatches(_ outlets: ArraySlice<HubStreamWriter>, _ hub: EventHub) {
        var news: EventHub.UnseenEvents?
        for outlet in outlets.prefix(Self.batchSize) { news = outlet.writeUnseenEvents(news) }
        let rest = outlets.dropFirst(Self.batchSize)
        if !rest.isEmpty { loop.execute { self.writeInBatches(rest, hub) } }
    }

    /// The number of listeners written to before other work of the event loop gets a turn, about a millisecond. The
    /// same loops send multicast packets, which must not wait for two thousand browsers.
    private static let batchSize = 64

    func addWriter(_ outlet: HubStreamWriter) {
        loop.preconditionInEventLoop()
        outlet.indexInGroup = writers.count
        writers.append(outlet)
    }

    func removeWriter(_ outlet: HubStreamWriter) {
        loop.preconditionInEventLoop()
        guard outlet.indexInGroup < writers.count, writers[outlet.indexInGroup] === outlet else { return }
        writers.swapAt(outlet.indexInGroup, writers.count - 1)
        writers[outlet.indexInGroup].indexInGroup = outlet.indexInGroup
        writers.removeLast()
    }

    /// Ends the streams of all listeners. It may be called from any thread.
    func endStreams() {
        loop.execute {
            for outlet in self.writers { outlet.end() }
        }
    }
}
