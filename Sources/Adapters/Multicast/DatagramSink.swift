import Concert

/// The receiver of a packet pump's datagrams: the network or, in tests, memory.
public protocol DatagramSink: Sendable {
    /// Returns when the operating system has accepted the datagram. An error concerns this datagram only.
    func send(_ datagram: Datagram) async throws
}
