import NIOCore

/// The listeners of a hub whose connections one event loop serves.
///
/// News ring the loop once, whatever the number of listeners: it then writes to all of them, and what is published
/// meanwhile goes out with the next ring. Two thousand listeners therefore cost two wake-ups on a machine
/// of two cores instead of two thousand.
///
/// @unchecked: each property names its guard.
final class EventRow: @unchecked Sendable {
    let loop: any EventLoop
    /// Listeners that joined and did not leave. Under the hub's lock.
    var seats = 0
    /// Under the hub's lock.
    var isRung = false
    /// On the loop only.
    private var outlets: [EventOutlet] = []

    init(loop: any EventLoop) { self.loop = loop }

    /// From any thread.
    func ring(_ hub: EventHub) { loop.execute { self.tellAll(hub) } }

    private func tellAll(_ hub: EventHub) {
        // First, so that nothing published from here on goes untold.
        hub.answer(self)
        // As they are now: who leaves meanwhile is passed over, and who comes is told on coming.
        tell(outlets[...], hub)
    }

    private func tell(_ outlets: ArraySlice<EventOutlet>, _ hub: EventHub) {
        var news: EventHub.News?
        for outlet in outlets.prefix(Self.atOnce) { news = outlet.tell(news) }
        let rest = outlets.dropFirst(Self.atOnce)
        if !rest.isEmpty { loop.execute { self.tell(rest, hub) } }
    }

    /// After so many, about a millisecond, whoever else waits for the loop has a turn: packets of the multicast group
    /// leave by the same loops, and must not wait for two thousand browsers.
    private static let atOnce = 64

    func add(_ outlet: EventOutlet) {
        loop.preconditionInEventLoop()
        outlet.index = outlets.count
        outlets.append(outlet)
    }

    func remove(_ outlet: EventOutlet) {
        loop.preconditionInEventLoop()
        guard outlet.index < outlets.count, outlets[outlet.index] === outlet else { return }
        outlets.swapAt(outlet.index, outlets.count - 1)
        outlets[outlet.index].index = outlet.index
        outlets.removeLast()
    }

    /// Ends all streams. From any thread.
    func close() {
        loop.execute {
            for outlet in self.outlets { outlet.end() }
        }
    }
}
