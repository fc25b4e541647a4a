/// Collects several messages to many connections and calls each connection once, when all messages are there.
///
/// A page turn and its consequences then leave in one packet, with one call of each event loop. A connection with a
/// collected message expects this call, and later messages do not call it again, so the calls are made however the
/// value's life ends.
public struct StreamBatch: ~Copyable {
    private var outlets: [PersonalStreamWriter] = []

    public init() {}

    /// Like ``PersonalStream/send(_:to:)``.
    public mutating func send(_ frame: StreamFrame, to streams: some Sequence<PersonalStream>) {
        for stream in streams { if let outlet = stream.put(frame) { outlets.append(outlet) } }
    }

    /// Like ``PersonalStream/replace(_:_:of:)``.
    public mutating func replace(_ slot: Int, _ frame: StreamFrame, of streams: some Sequence<PersonalStream>)
    {
        for stream in streams { if let outlet = stream.put(frame, slot: slot) { outlets.append(outlet) } }
    }

    /// Sends everything.
    public consuming func ring() {}

    deinit { PersonalStreamWriter.ring(outlets) }
}
