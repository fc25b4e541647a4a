import FuzzDriver
import ShowControl

/// OSC packets, TCP streams and address patterns. What is accepted reads the same after it was written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let packet = try? OSCPacket(bytes: bytes), let written = try? packet.encodedBytes() {
        guard let again = try? OSCPacket(bytes: written), let twice = try? again.encodedBytes() else {
            preconditionFailure("what was accepted is refused after it was written")
        }
        // Bytes and not values: not-a-number differs from itself.
        precondition(twice == written, "written differently the second time")
    }
    var whole = OSCStreamReader()
    let atOnce = whole.readPackets(in: bytes)
    var cut = OSCStreamReader()
    var inTwo = cut.readPackets(in: bytes.prefix(count / 2))
    inTwo += cut.readPackets(in: bytes.dropFirst(count / 2))
    precondition(atOnce == inTwo && whole.framing == cut.framing, "a stream reads differently when it is cut")
    if let framing = whole.framing {
        let packets = atOnce.compactMap { try? $0.get() }
        var again = OSCStreamReader()
        let stream = packets.flatMap { framing.makeFrame($0) }
        precondition(
            again.readPackets(in: stream) == packets.map { .success($0) }, "what was framed reads differently"
        )
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let pattern = try? OSCAddressPattern(text) { _ = pattern.matches("/baton/measure") }
    return 0
}

@_cdecl("osc_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
