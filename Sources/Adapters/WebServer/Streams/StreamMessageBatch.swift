/// Collects several messages to many clients, and wakes each connection only once, when all messages are there.
///
/// So a page turn and its consequences leave in one packet. A connection with a collected message counts as woken, so
/// later messages do not wake it again. Therefore this value always wakes its connections, at the latest when it is
/// destroyed.
public struct StreamMessageBatch: ~Copyable {
    private var writers: [PersonalStreamWriter] = []

    public init() {}

    /// Adds a message to many streams, like ``PersonalStream/send(_:to:)``.
    public mutating func send(_ frame: EncodedStreamMessage, to streams: some Sequence<PersonalStream>) {
        for stream in streams { if let outlet = stream.enqueue(frame) { writers.append(outlet) } }
    }

    /// Queues a value in many streams. In each, it replaces the value of the same slot that was not sent yet, as
    /// ``PersonalStream/replaceSlotValue(_:_:of:)`` does.
    public mutating func replaceSlotValue(
        _ slot: Int, _ frame: EncodedStreamMessage, of streams: some Sequence<PersonalStream>
    ) {
        for stream in streams { if let outlet = stream.enqueue(frame, slot: slot) { writers.append(outlet) } }
    }

    /// Sends all collected messages.
    public consuming func ring() {}

    deinit { PersonalStreamWriter.scheduleWrites(writers) }
}
