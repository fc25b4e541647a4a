import Concert

/// Receives a transmitter's datagrams: sends them to the network or, in tests, keeps them in memory.
public protocol DatagramSink: Sendable {
    /// Sends a datagram, and returns when the operating system has accepted it. An error concerns this datagram only.
    func send(_ datagram: Datagram) async throws
}
