import NIOCore

/// The listeners of a hub whose connections run on the same event loop.
///
/// An event calls the loop once, whatever the number of listeners; the loop then writes to all of them. Events
/// published in the meantime go out with the next call. So two thousand listeners cost two wake-ups on a machine with
/// two cores, instead of two thousand.
///
/// @unchecked: each property names its guard.
final class ListenerGroup: @unchecked Sendable {
    let loop: any EventLoop
    /// Number of present listeners. Guarded by the hub's lock.
    var seats = 0
    /// True if the loop was called and has not started yet. Guarded by the hub's lock.
    var isRung = false
    /// The outlets of the listeners. Used on the event loop only.
    private var outlets: [HubStreamWriter] = []

    init(loop: any EventLoop) { self.loop = loop }

    /// Schedules a write on the event loop. From any thread.
    func ring(_ hub: EventHub) { loop.execute { self.tellAll(hub) } }

    private func tellAll(_ hub: EventHub) {
        // This must come first, so that every later event calls the loop again.
        hub.answer(self)
        // A copy: listeners that leave in the meantime are skipped, and new ones are written to when they join.
        tell(outlets[...], hub)
    }

    private func tell(_ outlets: ArraySlice<HubStreamWriter>, _ hub: EventHub) {
        var news: EventHub.News?
        for outlet in outlets.prefix(Self.atOnce) { news = outlet.tell(news) }
        let rest = outlets.dropFirst(Self.atOnce)
        if !rest.isEmpty { loop.execute { self.tell(rest, hub) } }
    }

    /// After this many listeners, about a millisecond, other work of the loop gets a turn: multicast packets are sent
    /// on the same loops and must not wait for two thousand browsers.
    private static let atOnce = 64

    func add(_ outlet: HubStreamWriter) {
        loop.preconditionInEventLoop()
        outlet.index = outlets.count
        outlets.append(outlet)
    }

    func remove(_ outlet: HubStreamWriter) {
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
