/// Several messages to many connections, of which each is called once when all are there.
///
/// A page turn and what follows from it leave in one packet then, and each event loop is called once for all of them.
/// A connection that has a message to come for waits for its call, later messages do not call it again: so it is rung
/// whichever way this ends.
public struct StreamBells: ~Copyable {
    private var outlets: [StreamOutlet] = []

    public init() {}

    /// As ``PersonalStream/send(_:to:)``.
    public mutating func send(_ frame: StreamFrame, to streams: some Sequence<PersonalStream>) {
        for stream in streams { if let outlet = stream.put(frame) { outlets.append(outlet) } }
    }

    /// As ``PersonalStream/replace(_:_:of:)``.
    public mutating func replace(_ slot: Int, _ frame: StreamFrame, of streams: some Sequence<PersonalStream>)
    {
        for stream in streams { if let outlet = stream.put(frame, slot: slot) { outlets.append(outlet) } }
    }

    /// Lets everything leave.
    public consuming func ring() {}

    deinit { StreamOutlet.ring(outlets) }
}
