extension PresentingMessage {
    /// The command, which is the first byte of the message.
    public var command: UInt8 {
        switch self {
        case .registerRequest: 0x01
        case .registerSuccess: 0x02
        case .registerFailure: 0x03
        case .unregisterRequest: 0x04
        case .unregisterResponse: 0x05
        case .controlRequest: 0x06
        case .controlResponse: 0x07
        case .grantControl: 0x08
        case .withdrawControl: 0x09
        case .controlSignal: 0x0C
        case .signalSuccess: 0x0D
        case .signalFailure: 0x0E
        case .playVideo: 0x20
        case .playVideoSuccess: 0x21
        case .pauseVideo: 0x22
        case .pauseVideoSuccess: 0x23
        case .stopVideo: 0x24
        case .stopVideoSuccess: 0x25
        case .seekVideo: 0x26
        case .seekVideoSuccess: 0x27
        case .prepareVideo: 0x28
        case .prepareVideoResponse: 0x29
        case .video: 0x2A
        case .videoComplete: 0x2B
        case .pdf: 0x30
        case .pdfAcknowledge: 0x31
        case .annotation: 0x34
        case .annotationResponse: 0x35
        case .presentersRequest: 0x40
        case .presenters: 0x41
        }
    }

    /// The bytes of the message with its header.
    /// - Parameter id: the presenter's number; 0 is the server, 255 a presenter who is not registered yet.
    public func bytes(id: UInt8) -> [UInt8] {
        let content = content
        var bytes: [UInt8] = [command, id, 0, 0]
        bytes.append(bigEndian: UInt32(content.count + Self.headerLength))
        return bytes + content
    }

    /// The length of the header in bytes: command, id, two reserved bytes, and the size of the whole message.
    static let headerLength = 8

    private var content: [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .registerRequest(let name), .playVideo(let name): bytes.append(counted: Array(name.utf8))
        case .controlSignal(let signal):
            let (type, parameter) = signal.fields
            bytes.append(bigEndian: UInt32(type) << 24 | parameter)
        case .signalFailure(let code, let detail):
            bytes.append(bigEndian: UInt32(code) << 24 | detail & 0xFF_FFFF)
        case .seekVideo(let seconds): bytes.append(bigEndian: seconds.bitPattern)
        case .prepareVideoResponse(let port):
            bytes.append(bigEndian: port)
            bytes.append(bigEndian: UInt16(0))
        case .video(let name, let video):
            bytes.append(counted: Array(name.utf8))
            bytes.append(counted: video)
        case .pdf(let pdf): bytes.append(counted: pdf)
        case .annotation(let type, let drawing):
            precondition(drawing.count <= UInt16.max, "an annotation has at most 65,535 bytes")
            bytes.append(bigEndian: type)
            bytes.append(bigEndian: UInt16(drawing.count))
            bytes += drawing
        case .presenters(let all):
            for presenter in all {
                var name = presenter.name
                while name.utf8.count > UInt8.max { name.removeLast() }
                let flags: UInt8 = (presenter.isConnected ? 1 : 0) | (presenter.hasFloor ? 2 : 0)
                bytes += [presenter.id, flags, UInt8(name.utf8.count)]
                bytes += name.utf8
            }
        default: break
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(counted bytes: [UInt8]) {
        append(bigEndian: UInt32(bytes.count))
        self += bytes
    }
}
