import Concert
import FuzzDriver

/// Datagrams of the multicast group: whatever is accepted is written as the same bytes again.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let packet = try? BroadcastPacket(bytes: bytes) else { return 0 }
    precondition(packet.bytes == bytes, "accepted, and written differently")
    return 0
}

@_cdecl("packets_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
