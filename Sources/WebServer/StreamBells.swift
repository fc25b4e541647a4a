/// Several messages to many connections, of which each is called once when all are there.
///
/// A page turn and what follows from it leave in one packet then, and each event loop is called once for all of them.
/// What was told here leaves at the latest with the next message if it is never rung; so always ring.
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
    public consuming func ring() { StreamOutlet.ring(outlets) }
}
