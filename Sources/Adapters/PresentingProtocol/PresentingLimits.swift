/// The limits of what a presenter may send.
public struct PresentingLimits: Hashable, Sendable {
    /// The longest name in a registration, with the moderator's code, in bytes of UTF-8.
    public var longestName = 264
    /// The longest file name, in bytes of UTF-8.
    public var longestFileName = 255
    /// The largest PDF, in bytes.
    public var largestPDF = 200_000_000
    /// The largest video, in bytes.
    public var largestVideo = 2_000_000_000
    /// The number of presenters' connections that are open at once.
    public var mostConnections = 254
    /// The number of presenters' connections from one address that is not this machine's own, so that one laptop cannot
    /// take all.
    public var mostConnectionsOfAddress = 40
    /// The number of further connections that are open before they are registered.
    public var mostStrangers = 64
    /// The largest number of bytes that wait for a client that does not read.
    public var mostUnsentBytes = 65_536

    public init() {}
}

/// The reason why a stream of bytes is no longer understood.
public enum PresentingFault: Error, Hashable, Sendable {
    case unknownCommand(UInt8)
    /// A message whose size, or a length in it, is wrong or over the limit.
    case wrongSize(command: UInt8, size: Int)
    /// A name that is not UTF-8.
    case badText(command: UInt8)

    /// The command of the message that is not understood.
    public var command: UInt8 {
        switch self {
        case .unknownCommand(let command), .wrongSize(let command, _), .badText(let command): command
        }
    }
}
