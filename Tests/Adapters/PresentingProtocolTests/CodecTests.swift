import Basics
import Testing

@testable import PresentingProtocol

@Suite struct CodecTests {
    private static let signals: [PresentingSignal] = [
        .next, .previous, .goTo(slide: 7), .blank(isWhite: false), .blank(isWhite: true),
        .handOver(to: 9, seconds: 0), .handOver(to: 254, seconds: 300), .withdraw(counter: 10),
        .returnControl,
        .unknown(type: 0x42, parameter: 0x01_0203),
    ]

    private static let messages: [PresentingMessage] =
        [
            .registerRequest(name: "Anna"), .registerRequest(name: "Jürgen 指揮"), .registerSuccess,
            .registerFailure,
            .unregisterRequest, .unregisterResponse, .controlRequest, .controlResponse, .grantControl,
            .withdrawControl,
        ] + signals.map(PresentingMessage.controlSignal) + [
            .signalSuccess, .signalFailure(code: 3, detail: 0x01_0203),
            .playVideo(name: "a.mp4"), .playVideoSuccess, .pauseVideo, .pauseVideoSuccess, .stopVideo,
            .stopVideoSuccess, .seekVideo(seconds: 83.5), .seekVideoSuccess, .prepareVideo,
            .prepareVideoResponse(port: 40_001), .video(name: "b.webm", bytes: [1, 2, 3]), .videoComplete,
            .pdf(bytes: Array("%PDF-1.4 ...".utf8)), .pdf(bytes: []), .pdfAcknowledge,
            .annotation(type: 2, bytes: [9, 8, 7]), .annotation(type: 0, bytes: []), .annotationResponse,
            .presentersRequest, .presenters([]),
            .presenters([
                ListedPresenter(id: 1, isConnected: true, hasFloor: false, name: "Jürgen 指揮"),
                ListedPresenter(id: 254, isConnected: false, hasFloor: true, name: ""),
            ]),
        ]

    private static let stream = messages.enumerated().flatMap { $1.bytes(id: UInt8($0)) }

    /// Collects whole messages, with the files put together.
    private struct Collector {
        var decoder = PresentingDecoder()
        var messages: [PresentingMessage] = []
        var ids: [UInt8] = []
        private var file: (kind: PresentingDecoder.FileKind, bytes: [UInt8], announced: Int)?

        mutating func take(_ bytes: some Sequence<UInt8>) throws(PresentingFault) {
            decoder.append(Array(bytes))
            while let part = try decoder.next() {
                switch part {
                case .message(let message, let id):
                    messages.append(message)
                    ids.append(id)
                case .fileBegins(let kind, let count, let id):
                    file = (kind, [], count)
                    ids.append(id)
                case .fileBytes(let bytes): file?.bytes += bytes
                case .fileEnds:
                    guard let file else {
                        Issue.record("an end without a beginning")
                        return
                    }
                    #expect(file.bytes.count == file.announced)
                    switch file.kind {
                    case .pdf: messages.append(.pdf(bytes: file.bytes))
                    case .video(let name): messages.append(.video(name: name, bytes: file.bytes))
                    }
                }
            }
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
        }
    }

    @Test func theSourcesFiguresHaveTheseBytes() {
        let golden: [(PresentingMessage, UInt8, String)] = [
            (.registerRequest(name: "Anna"), 255, "01FF00000000001000000004416E6E61"),
            (.registerSuccess, 1, "0201000000000008"),
            (.controlSignal(.goTo(slide: 7)), 1, "0C0100000000000C03070000"),
            (.seekVideo(seconds: 83.5), 1, "26010000000000104054E00000000000"),
        ]
        for (message, id, text) in golden { #expect(Self.hex(message.bytes(id: id)) == text) }
    }

    @Test func allTwentyEightCommandsTwoOfOurOwnAndSevenSignalsAreThere() {
        #expect(
            Set(Self.messages.map(\.command))
                == Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0C, 0x0D, 0x0E])
                .union(0x20...0x2B).union([0x30, 0x31, 0x34, 0x35, 0x40, 0x41]))
        #expect(Set(Self.messages.map(\.command)).count == 28 + 2)
        #expect(
            Set(Self.signals.dropLast().map(\.fields.type)) == [0x01, 0x02, 0x03, 0xF0, 0xFD, 0xFE, 0xFF])
    }

    @Test func everyMessageIsReadAsItWasWritten() throws {
        var whole = Collector()
        try whole.take(Self.stream)
        #expect(whole.messages == Self.messages && whole.decoder.isBetweenMessages)
        #expect(whole.ids == Self.messages.indices.map { UInt8($0) })
    }

    @Test func aStreamMayBeCutAtEveryByteAndArriveByteByByte() throws {
        for cut in 0...Self.stream.count {
            var collector = Collector()
            try collector.take(Self.stream[..<cut])
            #expect(Self.messages.starts(with: collector.messages))
            try collector.take(Self.stream[cut...])
            #expect(collector.messages == Self.messages)
        }
        var slow = Collector()
        for byte in Self.stream { try slow.take([byte]) }
        #expect(slow.messages == Self.messages && slow.decoder.isBetweenMessages)
    }

    @Test func aWrongMessageEndsTheStream() {
        let wrong: [(String, PresentingFault)] = [
            // What a browser sends first: POST, GET, and the greeting of TLS.
            ("504F5354202F2048", .unknownCommand(0x50)), ("474554202F204854", .unknownCommand(0x47)),
            ("1603010200010001", .unknownCommand(0x16)),
            ("0A01000000000008", .unknownCommand(0x0A)), ("FF01000000000008", .unknownCommand(0xFF)),
            ("0601000000000007", .wrongSize(command: 6, size: 7)),
            ("0601000000000009", .wrongSize(command: 6, size: 9)),
            ("06010000FFFFFFFF", .wrongSize(command: 6, size: 0xFFFF_FFFF)),
            ("01FF00000000001000000005416E6E61", .wrongSize(command: 1, size: 16)),
            ("01FF00000000000E00000002FFFE", .badText(command: 0x01)),
            ("01FF0000000F0000", .wrongSize(command: 1, size: 0xF0000)),
            ("300100000C000000", .wrongSize(command: 0x30, size: 0xC00_0000)),
            ("300100000000000F0000000400", .wrongSize(command: 0x30, size: 15)),
            ("2A010000000000200000FFFF00000000", .wrongSize(command: 0x2A, size: 32)),
            ("410100000000000B010304", .wrongSize(command: 0x41, size: 11)),
            ("410100000000000C010301FF", .badText(command: 0x41)),
            ("340100000000000E0001000300000000", .wrongSize(command: 0x34, size: 14)),
        ]
        for (text, fault) in wrong {
            var decoder = PresentingDecoder()
            decoder.append(Self.bytes(text))
            #expect(throws: fault, "\(text)") { while try decoder.next() != nil {} }
            decoder.append(PresentingMessage.controlRequest.bytes(id: 1))
            #expect(throws: fault, "nothing is read after it") { try decoder.next() }
        }
    }

    /// Some 20,000 damaged streams, one second: whatever arrives, the decoder neither stops nor keeps much.
    @Test func damagedStreamsAreRefusedOrRead() {
        var random = SeededRandomGenerator(seed: 15)
        var (faults, read) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = Self.messages.randomElement(using: &random)!.bytes(id: 1)
            bytes += Self.messages.randomElement(using: &random)!.bytes(id: 2)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = bytes.indices.randomElement(using: &random)!
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            var collector = Collector()
            let cut = Int.random(in: 0...bytes.count, using: &random)
            do throws(PresentingFault) {
                try collector.take(bytes[..<cut])
                try collector.take(bytes[cut...])
            } catch { faults += 1 }
            read += collector.messages.count
        }
        #expect(faults > 1_000 && read > 10_000)
    }
}
