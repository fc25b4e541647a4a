import Concert
import NIOCore
import NIOPosix
import NetworkLinks
import Score
import Synchronization

let donJuan = "Strauss, Don Juan: Don Juan"

func place(_ measure: Int) throws -> LivePosition {
    try LivePosition(piece: PieceName(donJuan), measure: measure)
}

/// A loopback endpoint on a port nobody used a moment ago.
func freshEndpoint(group: String = MulticastEndpoint.standardGroup, port: Int? = nil) async throws
    -> MulticastEndpoint
{
    if let port { return try MulticastEndpoint(group: group, port: port) }
    let probe = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
    let free = probe.localAddress?.port ?? MulticastEndpoint.standardPort
    try await probe.close()
    return try MulticastEndpoint(group: group, port: free)
}

/// Keeps what it is given, and fails when told to.
final class MemorySink: DatagramSink {
    struct Refusal: Error {}

    private let state = Mutex<(lines: [String], refusals: Int)>(([], 0))

    var lines: [String] { state.withLock(\.lines) }

    func refuse(next count: Int) { state.withLock { $0.refusals = count } }

    func send(_ datagram: Datagram) async throws {
        try state.withLock { state in
            if state.refusals > 0 {
                state.refusals -= 1
                throw Refusal()
            }
            state.lines.append(String(decoding: datagram.bytes, as: UTF8.self))
        }
    }
}

/// Gives other tasks and threads their turn until `condition` holds; false if it does not within two minutes.
func becomesTrue(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while !condition() {
        guard .now < end else { return false }
        await Task.yield()
    }
    return true
}
