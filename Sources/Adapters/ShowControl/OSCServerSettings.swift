/// Where the OSC server listens and how much it takes from whom.
public struct OSCServerSettings: Sendable {
    public var udp: [OSCEndpoint] = [.standard]
    public var tcp: [OSCEndpoint] = [.standard]
    public var limits = OSCLimits()
    /// Empty: every address the sockets can hear.
    public var sources: [SourceRange] = []
    public var messagesPerSecond = 200.0
    public var burst = 400.0
    public var mostConnections = 16
    /// Bytes that may wait for one connection before it is dropped as too slow.
    public var mostWaitingBytes = 262_144
    /// Packets that may wait for the handler.
    public var mostWaitingPackets = 1_024
    /// Where refusals are answered to.
    public var errorAddress = "/baton/error"

    public init() {}
}
