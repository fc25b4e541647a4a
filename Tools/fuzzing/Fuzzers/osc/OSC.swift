import FuzzDriver
import ShowControl

/// OSC packets, SLIP streams and address patterns. What is accepted reads the same after it was written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let packet = try? OSCPacket(bytes: bytes), let written = try? packet.encodedBytes() {
        guard let again = try? OSCPacket(bytes: written), let twice = try? again.encodedBytes() else {
            preconditionFailure("what was accepted is refused after it was written")
        }
        // Bytes and not values: not-a-number differs from itself.
        precondition(twice == written, "written differently the second time")
    }
    var whole = SLIPReader()
    let atOnce = whole.readFrames(in: bytes)
    var cut = SLIPReader()
    var inTwo = cut.readFrames(in: bytes.prefix(count / 2))
    inTwo += cut.readFrames(in: bytes.dropFirst(count / 2))
    precondition(atOnce == inTwo, "a stream reads differently when it is cut")
    let text = String(decoding: bytes, as: UTF8.self)
    if let pattern = try? OSCAddressPattern(text) { _ = pattern.matches("/baton/measure") }
    return 0
}

@_cdecl("osc_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
