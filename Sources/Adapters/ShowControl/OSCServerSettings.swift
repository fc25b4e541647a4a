/// The endpoints and limits of the OSC server.
public struct OSCServerSettings: Sendable {
    public var udpEndpoints: [OSCEndpoint] = [.defaultLoopbackEndpoint]
    public var tcpEndpoints: [OSCEndpoint] = [.defaultLoopbackEndpoint]
    public var limits = OSCLimits()
    /// The allowed senders; if empty, every address that can reach the sockets is allowed.
    public var allowedSenders: [SenderAddressRange] = []
    public var messagesPerSecond = 200
    public var maximumBurst = 400
    public var mostConnections = 16
    /// The most bytes that may wait for one connection before it is closed as too slow.
    public var mostUnsentBytesPerConnection = 262_144
    /// The most packets that may wait for the handler; further ones are dropped.
    public var mostPacketsWaitingForHandler = 1_024
    /// The OSC address of error messages.
    public var errorMessageAddress = "/baton/error"

    public init() {}

    /// True if the list of senders names this address; a range of all addresses names nobody.
    func isNamedSender(_ address: String) -> Bool {
        allowedSenders.contains { !$0.includesAllAddresses && $0.contains(address) }
    }
}
