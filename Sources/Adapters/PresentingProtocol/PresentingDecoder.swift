/// Finds the messages in a stream of bytes that arrives in pieces of any length.
///
/// A file is passed on as it arrives, so that it takes no memory; everything else is held until it is complete, at most
/// 65,547 bytes.
public struct PresentingDecoder: Sendable {
    /// A part of the stream.
    public enum Part: Hashable, Sendable {
        case message(PresentingMessage, id: UInt8)
        case fileBegins(kind: FileKind, byteCount: Int, id: UInt8)
        case fileBytes([UInt8])
        case fileEnds
    }

    public enum FileKind: Hashable, Sendable {
        case pdf
        case video(name: String)
    }

    private let limits: PresentingLimits
    private var waiting: [UInt8] = []
    /// The bytes of the present file that have not arrived; nil outside a file.
    private var missingFileBytes: Int?
    private var fault: PresentingFault?

    public init(limits: PresentingLimits = PresentingLimits()) { self.limits = limits }

    /// True if the stream may end here without cutting a message.
    public var isBetweenMessages: Bool { waiting.isEmpty && missingFileBytes == nil }

    public mutating func append(_ bytes: [UInt8]) { waiting += bytes }

    /// The next complete part; nil until more bytes have arrived.
    /// - Throws: ``PresentingFault``; nothing can be read after it, so the same fault is thrown again.
    public mutating func next() throws(PresentingFault) -> Part? {
        if let fault { throw fault }
        do throws(PresentingFault) { return try read() } catch {
            fault = error
            waiting = []
            throw error
        }
    }

    private mutating func read() throws(PresentingFault) -> Part? {
        if let missing = missingFileBytes { return readFile(missing) }
        guard waiting.count >= PresentingMessage.headerLength else { return nil }
        let (command, id) = (waiting[0], waiting[1])
        let size = Int(waiting.number(at: 4, as: UInt32.self))
        let content = size - PresentingMessage.headerLength
        guard try permittedContent(of: command).contains(content) else {
            throw .wrongSize(command: command, size: size)
        }
        if command == 0x30 || command == 0x2A {
            return try readFileBeginning(command: command, id: id, content: content, size: size)
        }
        guard waiting.count >= size else { return nil }
        let body = Array(waiting[PresentingMessage.headerLength..<size])
        let message = try PresentingMessage(command: command, content: body, size: size, limits: limits)
        waiting.removeFirst(size)
        return .message(message, id: id)
    }

    /// The sizes that the content of a message may have, in bytes.
    private func permittedContent(of command: UInt8) throws(PresentingFault) -> ClosedRange<Int> {
        switch command {
        case 0x02...0x09, 0x0D, 0x21...0x25, 0x27, 0x28, 0x2B, 0x31, 0x35, 0x40: 0...0
        case 0x0C, 0x0E, 0x29: 4...4
        case 0x26: 8...8
        case 0x01: 4...4 + limits.longestName
        case 0x20: 4...4 + limits.longestFileName
        case 0x2A: 8...8 + limits.longestFileName + limits.largestVideo
        case 0x30: 4...4 + limits.largestPDF
        case 0x34: 4...4 + Int(UInt16.max)
        case 0x41: 0...254 * (3 + Int(UInt8.max))
        default: throw .unknownCommand(command)
        }
    }

    private mutating func readFileBeginning(command: UInt8, id: UInt8, content: Int, size: Int)
        throws(PresentingFault) -> Part?
    {
        var start = PresentingMessage.headerLength
        var kind = FileKind.pdf
        if command == 0x2A {
            guard waiting.count >= start + 4 else { return nil }
            let length = Int(waiting.number(at: start, as: UInt32.self))
            guard length <= limits.longestFileName, length + 8 <= content else {
                throw .wrongSize(command: command, size: size)
            }
            guard waiting.count >= start + 4 + length else { return nil }
            kind = .video(name: try Self.text(waiting[(start + 4)..<(start + 4 + length)], of: command))
            start += 4 + length
        }
        guard waiting.count >= start + 4 else { return nil }
        let byteCount = Int(waiting.number(at: start, as: UInt32.self))
        guard start + 4 + byteCount == size else { throw .wrongSize(command: command, size: size) }
        waiting.removeFirst(start + 4)
        missingFileBytes = byteCount
        return .fileBegins(kind: kind, byteCount: byteCount, id: id)
    }

    private mutating func readFile(_ missing: Int) -> Part? {
        guard missing > 0 else {
            missingFileBytes = nil
            return .fileEnds
        }
        guard !waiting.isEmpty else { return nil }
        var bytes: [UInt8] = []
        if waiting.count <= missing {
            swap(&bytes, &waiting)
        } else {
            bytes = Array(waiting.prefix(missing))
            waiting.removeFirst(missing)
        }
        missingFileBytes = missing - bytes.count
        return .fileBytes(bytes)
    }

    static func text(_ bytes: some Sequence<UInt8>, of command: UInt8) throws(PresentingFault) -> String {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else {
            throw .badText(command: command)
        }
        return text
    }
}

extension PresentingMessage {
    /// Reads the content of a message whose size is right for its command.
    fileprivate init(command: UInt8, content: [UInt8], size: Int, limits: PresentingLimits)
        throws(PresentingFault)
    {
        func countedText() throws(PresentingFault) -> String {
            guard Int(content.number(at: 0, as: UInt32.self)) == content.count - 4 else {
                throw PresentingFault.wrongSize(command: command, size: size)
            }
            return try PresentingDecoder.text(content.dropFirst(4), of: command)
        }
        switch command {
        case 0x01: self = .registerRequest(name: try countedText())
        case 0x02: self = .registerSuccess
        case 0x03: self = .registerFailure
        case 0x04: self = .unregisterRequest
        case 0x05: self = .unregisterResponse
        case 0x06: self = .controlRequest
        case 0x07: self = .controlResponse
        case 0x08: self = .grantControl
        case 0x09: self = .withdrawControl
        case 0x0C:
            let fields = content.number(at: 0, as: UInt32.self)
            self = .controlSignal(
                PresentingSignal(type: UInt8(fields >> 24), parameter: fields & 0xFF_FFFF))
        case 0x0D: self = .signalSuccess
        case 0x0E:
            let fields = content.number(at: 0, as: UInt32.self)
            self = .signalFailure(code: UInt8(fields >> 24), detail: fields & 0xFF_FFFF)
        case 0x20: self = .playVideo(name: try countedText())
        case 0x21: self = .playVideoSuccess
        case 0x22: self = .pauseVideo
        case 0x23: self = .pauseVideoSuccess
        case 0x24: self = .stopVideo
        case 0x25: self = .stopVideoSuccess
        case 0x26: self = .seekVideo(seconds: Double(bitPattern: content.number(at: 0, as: UInt64.self)))
        case 0x27: self = .seekVideoSuccess
        case 0x28: self = .prepareVideo
        case 0x29: self = .prepareVideoResponse(port: content.number(at: 0, as: UInt16.self))
        case 0x2B: self = .videoComplete
        case 0x31: self = .pdfAcknowledge
        case 0x34:
            guard Int(content.number(at: 2, as: UInt16.self)) == content.count - 4 else {
                throw .wrongSize(command: command, size: size)
            }
            self = .annotation(
                type: content.number(at: 0, as: UInt16.self), bytes: Array(content.dropFirst(4)))
        case 0x35: self = .annotationResponse
        case 0x40: self = .presentersRequest
        case 0x41: self = .presenters(try Self.listed(content, size: size))
        default: throw .unknownCommand(command)
        }
    }

    /// Reads the list of presenters. Each has its number, flags (1 connected, 2 has the floor), the length of the name
    /// in bytes, and the name.
    private static func listed(_ content: [UInt8], size: Int) throws(PresentingFault) -> [ListedPresenter] {
        var (rest, all) = (content[...], [ListedPresenter]())
        while !rest.isEmpty {
            let header = Array(rest.prefix(3))
            guard header.count == 3, rest.count >= 3 + Int(header[2]) else {
                throw .wrongSize(command: 0x41, size: size)
            }
            let name = try PresentingDecoder.text(rest.dropFirst(3).prefix(Int(header[2])), of: 0x41)
            all.append(
                ListedPresenter(
                    id: header[0], isConnected: header[1] & 1 != 0, hasFloor: header[1] & 2 != 0, name: name))
            rest = rest.dropFirst(3 + Int(header[2]))
        }
        return all
    }
}

extension [UInt8] {
    /// The big-endian number at an index.
    fileprivate func number<Number: FixedWidthInteger>(at index: Int, as: Number.Type) -> Number {
        self[index..<(index + MemoryLayout<Number>.size)].reduce(0) { $0 << 8 | Number($1) }
    }
}
