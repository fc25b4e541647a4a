/// A message of the presenting protocol, without its header.
///
/// Numbers are big-endian. A message with a name or a file has its length before it, in bytes. The last two are Baton's
/// own: the source has no way to find the number of somebody whose name is known.
public enum PresentingMessage: Hashable, Sendable {
    case registerRequest(name: String)
    case registerSuccess
    case registerFailure
    case unregisterRequest
    case unregisterResponse
    case controlRequest
    /// The request for control is received and waits.
    case controlResponse
    case grantControl
    case withdrawControl
    case controlSignal(PresentingSignal)
    case signalSuccess
    /// A control signal was refused; `detail` has 24 bits.
    case signalFailure(code: UInt8, detail: UInt32)
    case playVideo(name: String)
    case playVideoSuccess
    case pauseVideo
    case pauseVideoSuccess
    case stopVideo
    case stopVideoSuccess
    case seekVideo(seconds: Double)
    case seekVideoSuccess
    case prepareVideo
    /// The port to which the video is sent.
    case prepareVideoResponse(port: UInt16)
    case video(name: String, bytes: [UInt8])
    case videoComplete
    case pdf(bytes: [UInt8])
    case pdfAcknowledge
    case annotation(type: UInt16, bytes: [UInt8])
    case annotationResponse
    case presentersRequest
    /// Everybody who is registered, by rising number; at most 254, each with a name of at most 255 bytes.
    case presenters([ListedPresenter])
}

/// A presenter as the others know it.
public struct ListedPresenter: Hashable, Sendable {
    public var id: UInt8
    /// False while the connection is lost: the floor cannot be handed to such a presenter.
    public var isConnected: Bool
    public var hasFloor: Bool
    public var name: String

    public init(id: UInt8, isConnected: Bool, hasFloor: Bool, name: String) {
        (self.id, self.isConnected, self.hasFloor, self.name) = (id, isConnected, hasFloor, name)
    }
}

/// A control signal of the presenter who has the floor: a type and three bytes.
public enum PresentingSignal: Hashable, Sendable {
    case next
    case previous
    /// Goes to a slide, counted from 1.
    case goTo(slide: UInt8)
    case blank(isWhite: Bool)
    /// Hands the floor on. The source leaves the last two bytes open; here they are the seconds after which the floor
    /// comes back: 0 for never, 65535 for a loan without an end.
    case handOver(to: UInt8, seconds: UInt16)
    /// Takes a lent floor back after a number of seconds.
    case withdraw(counter: UInt8)
    case returnControl
    /// A type that the protocol does not have, with its parameter of 24 bits.
    case unknown(type: UInt8, parameter: UInt32)
}

extension PresentingSignal {
    /// The type and the parameter of 24 bits.
    var fields: (type: UInt8, parameter: UInt32) {
        switch self {
        case .next: (0x01, 0)
        case .previous: (0x02, 0)
        case .goTo(let slide): (0x03, UInt32(slide) << 16)
        case .blank(let isWhite): (0xF0, isWhite ? 1 << 16 : 0)
        case .handOver(let presenter, let seconds): (0xFD, UInt32(presenter) << 16 | UInt32(seconds))
        case .withdraw(let counter): (0xFE, UInt32(counter) << 16)
        case .returnControl: (0xFF, 0)
        case .unknown(let type, let parameter): (type, parameter & 0xFF_FFFF)
        }
    }

    init(type: UInt8, parameter: UInt32) {
        let first = UInt8(truncatingIfNeeded: parameter >> 16)
        self =
            switch type {
            case 0x01: .next
            case 0x02: .previous
            case 0x03: .goTo(slide: first)
            case 0xF0: .blank(isWhite: first != 0)
            case 0xFD: .handOver(to: first, seconds: UInt16(truncatingIfNeeded: parameter))
            case 0xFE: .withdraw(counter: first)
            case 0xFF: .returnControl
            default: .unknown(type: type, parameter: parameter)
            }
    }
}
