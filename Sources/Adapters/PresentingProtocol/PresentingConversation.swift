/// A speaker's half of one connection, without sockets: requests become bytes, and what the server sends becomes news.
///
/// The server answers in the order of the requests; what happens to the floor comes in between.
public struct PresentingConversation: Sendable {
    /// Something that the server is asked to do.
    public enum Request: Sendable {
        case askForFloor
        case signal(PresentingSignal)
        case slides(SlidesFile)
        /// A drawing on the slide; at most 65,535 bytes.
        case draw(type: UInt16, bytes: [UInt8])
        case listPresenters
        /// Asks for a port to which a video can be sent.
        case prepareVideo
        /// Plays a video that the server has, or goes on with it.
        case playVideo(name: String)
        case pauseVideo
        case stopVideo
        case seekVideo(seconds: Double)
        case unregister
    }

    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
        case done
        case presenters([ListedPresenter])
        /// The port for the video.
        case port(UInt16)
        /// The server refused it, with the code of the message 0x0E.
        case refused(code: UInt8)
        /// The connection ended before the answer, so nobody knows whether it was done.
        case connectionLost
        /// There is no connection at the moment, so nothing was sent.
        case notConnected
        /// More than ``mostWaiting`` requests have no answer yet.
        case tooManyWaiting
    }

    /// A message of the server, decoded.
    public enum News: Hashable, Sendable {
        case registered(id: UInt8)
        case registrationRefused
        case floorGranted
        case floorWithdrawn
        /// The server has unregistered the speaker without being asked.
        case unregistered
        case answered(ticket: Int, Outcome)
    }

    /// The most requests without an answer.
    public static let mostWaiting = 100

    /// The speaker's number; 255 until the server has given one.
    public private(set) var id: UInt8 = 255
    private let name: String
    private var waiting: [(ticket: Int, command: UInt8)] = []

    /// - Parameter name: the name with the moderator's code, as `Anna #k7-summer`.
    public init(name: String) { self.name = name }

    public var isRegistered: Bool { id != 255 }
    public var hasRoom: Bool { waiting.count < Self.mostWaiting }

    /// The bytes with which every conversation begins.
    public var beginning: [UInt8] { PresentingMessage.registerRequest(name: name).bytes(id: 255) }

    /// The bytes of a request. Those of slides end before the file, whose bytes follow.
    /// - Parameter ticket: names the request in its answer.
    public mutating func ask(_ request: Request, ticket: Int) -> [UInt8] {
        let message: PresentingMessage
        switch request {
        case .askForFloor: message = .controlRequest
        case .signal(let signal): message = .controlSignal(signal)
        case .draw(let type, let bytes): message = .annotation(type: type, bytes: bytes)
        case .listPresenters: message = .presentersRequest
        case .prepareVideo: message = .prepareVideo
        case .playVideo(let name): message = .playVideo(name: name)
        case .pauseVideo: message = .pauseVideo
        case .stopVideo: message = .stopVideo
        case .seekVideo(let seconds): message = .seekVideo(seconds: seconds)
        case .unregister: message = .unregisterRequest
        case .slides(let file):
            waiting.append((ticket, 0x30))
            return PresentingMessage.pdfBeginning(byteCount: file.byteCount, id: id)
        }
        waiting.append((ticket, message.command))
        return message.bytes(id: id)
    }

    /// Takes a part of what the server sends.
    /// - Throws: ``PresentingFault/unknownCommand(_:)`` for what only a speaker sends.
    public mutating func receive(_ part: PresentingDecoder.Part) throws(PresentingFault) -> [News] {
        guard case .message(let message, let number) = part else { throw .unknownCommand(0x30) }
        switch message {
        case .registerSuccess:
            id = number
            return [.registered(id: number)]
        case .registerFailure: return [.registrationRefused]
        case .controlResponse: return answer(to: 0x06, .done)
        // Whoever asks and has the floor already gets the grant as the answer.
        case .grantControl: return answer(to: 0x06, .done) + [.floorGranted]
        case .withdrawControl: return [.floorWithdrawn]
        case .signalSuccess: return answer(to: 0x0C, .done)
        case .signalFailure(let code, _): return answer(to: 0x0C, .refused(code: code))
        case .pdfAcknowledge: return answer(to: 0x30, .done)
        case .annotationResponse: return answer(to: 0x34, .done)
        case .presenters(let all): return answer(to: 0x40, .presenters(all))
        case .unregisterResponse:
            let answer = answer(to: 0x04, .done)
            return answer.isEmpty ? [.unregistered] : answer
        case .playVideoSuccess: return answer(to: 0x20, .done)
        case .pauseVideoSuccess: return answer(to: 0x22, .done)
        case .stopVideoSuccess: return answer(to: 0x24, .done)
        case .seekVideoSuccess: return answer(to: 0x26, .done)
        case .prepareVideoResponse(let port): return answer(to: 0x28, .port(port))
        case .videoComplete: return []
        case .registerRequest, .unregisterRequest, .controlRequest, .controlSignal, .playVideo, .pauseVideo,
            .stopVideo, .seekVideo, .prepareVideo, .video, .pdf, .annotation, .presentersRequest:
            throw .unknownCommand(message.command)
        }
    }

    private mutating func answer(to command: UInt8, _ outcome: Outcome) -> [News] {
        guard let index = waiting.firstIndex(where: { $0.command == command }) else { return [] }
        return [.answered(ticket: waiting.remove(at: index).ticket, outcome)]
    }
}

extension PresentingMessage {
    /// The bytes of a PDF's message before the file.
    static func pdfBeginning(byteCount: Int, id: UInt8) -> [UInt8] {
        beginning(of: .pdf(bytes: []), byteCount: byteCount, id: id)
    }

    /// The bytes of a video's message before the file.
    static func videoBeginning(name: String, byteCount: Int, id: UInt8) -> [UInt8] {
        beginning(of: .video(name: name, bytes: []), byteCount: byteCount, id: id)
    }

    /// The bytes of a message without its file, with the lengths that it has with the file.
    private static func beginning(of message: PresentingMessage, byteCount: Int, id: UInt8) -> [UInt8] {
        var bytes = message.bytes(id: id)
        func write(_ length: UInt32, at index: Int) {
            for place in 0..<4 {
                bytes[index + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place))
            }
        }
        write(UInt32(bytes.count + byteCount), at: 4)
        write(UInt32(byteCount), at: bytes.count - 4)
        return bytes
    }
}
