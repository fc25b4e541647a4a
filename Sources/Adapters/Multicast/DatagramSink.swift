/// Where a pump's datagrams go: the network, or a test's memory.
public protocol DatagramSink: Sendable {
    /// Returns when the system has taken the datagram; a failure concerns this datagram only.
    func send(_ bytes: [UInt8]) async throws
}
