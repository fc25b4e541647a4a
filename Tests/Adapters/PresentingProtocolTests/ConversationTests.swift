import Foundation
import Testing

@testable import PresentingProtocol
@testable import TestHelpers

/// A speaker's half of the conversation, byte for byte.
@Suite struct ConversationTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
        }
    }

    /// The server's messages in this conversation, and the news that each is for the speaker.
    private static let answers: [(hex: String, news: [PresentingConversation.News])] = [
        ("0201000000000008", [.registered(id: 1)]),
        ("0701000000000008", [.answered(ticket: 1, .done)]),
        ("0801000000000008", [.floorGranted]),
        ("3101000000000008", [.answered(ticket: 3, .done)]),
        ("0D01000000000008", [.answered(ticket: 2, .done)]),
        ("0E0100000000000C01000000", [.answered(ticket: 4, .refused(code: 1))]),
        ("0901000000000008", [.floorWithdrawn]),
        (
            "41010000 00000013 010304 416E6E61 020001 42",
            [
                .answered(
                    ticket: 5,
                    .presenters([
                        ListedPresenter(id: 1, isConnected: true, hasFloor: true, name: "Anna"),
                        ListedPresenter(id: 2, isConnected: false, hasFloor: false, name: "B"),
                    ]))
            ]
        ),
        ("3501000000000008", [.answered(ticket: 6, .done)]),
        ("0501000000000008", [.answered(ticket: 7, .done)]),
    ]

    /// A conversation in which everything was asked, with what was sent.
    private static func asked(_ file: SlidesFile) throws -> (PresentingConversation, [String]) {
        var conversation = PresentingConversation(name: "Anna")
        var sent = [conversation.beginning]
        #expect(try conversation.receive(.message(.registerSuccess, id: 1)) == [.registered(id: 1)])
        let requests: [PresentingConversation.Request] = [
            .askForFloor, .signal(.goTo(slide: 7)), .slides(file), .signal(.handOver(to: 2, seconds: 60)),
            .listPresenters, .draw(type: 2, bytes: [9, 8, 7]), .unregister,
        ]
        for (index, request) in requests.enumerated() {
            sent.append(conversation.ask(request, ticket: index + 1))
        }
        return (conversation, sent.map { $0.map { String(format: "%02X", $0) }.joined() })
    }

    private static func slides(_ folder: ServeFolder) throws -> SlidesFile {
        let path = folder.path + "/talk.pdf"
        try Data("%PDF-1.4 x".utf8).write(to: URL(fileURLWithPath: path))
        return try SlidesFile(path: path)
    }

    @Test func requestsAreTheseBytes() throws {
        let folder = try ServeFolder()
        let (_, sent) = try Self.asked(Self.slides(folder))
        #expect(
            sent == [
                "01FF00000000001000000004416E6E61", "0601000000000008", "0C0100000000000C03070000",
                "30010000000000160000000A", "0C0100000000000CFD02003C", "4001000000000008",
                "340100000000000F00020003090807", "0401000000000008",
            ])
    }

    @Test func answersMayBeCutAtEveryByte() throws {
        let folder = try ServeFolder()
        let file = try Self.slides(folder)
        let stream = Self.answers.flatMap { Self.bytes($0.hex) }
        for cut in 0...stream.count {
            var (conversation, _) = try Self.asked(file)
            var decoder = PresentingDecoder()
            var news: [PresentingConversation.News] = []
            for piece in [stream[..<cut], stream[cut...]] {
                decoder.append(Array(piece))
                while let part = try decoder.next() { news += try conversation.receive(part) }
            }
            #expect(news == Self.answers.flatMap(\.news), "cut at \(cut)")
        }
    }

    @Test func answersInAnotherOrderFindTheirRequests() throws {
        var conversation = PresentingConversation(name: "Anna")
        _ = try conversation.receive(.message(.registerSuccess, id: 1))
        _ = conversation.ask(.askForFloor, ticket: 1)
        _ = conversation.ask(.signal(.next), ticket: 2)
        _ = conversation.ask(.signal(.previous), ticket: 3)
        // The moderator grants before the request is answered: the grant is the answer, and the later one is none.
        #expect(
            try conversation.receive(.message(.grantControl, id: 1)) == [
                .answered(ticket: 1, .done), .floorGranted,
            ])
        #expect(try conversation.receive(.message(.controlResponse, id: 1)) == [])
        #expect(try conversation.receive(.message(.signalSuccess, id: 1)) == [.answered(ticket: 2, .done)])
        #expect(
            try conversation.receive(.message(.signalFailure(code: 4, detail: 0), id: 1))
                == [.answered(ticket: 3, .refused(code: 4))])
        #expect(try conversation.receive(.message(.unregisterResponse, id: 1)) == [.unregistered])
    }

    @Test func whatOnlySpeakersSendIsNoAnswer() {
        for message in [
            PresentingMessage.registerRequest(name: "Eve"), .controlRequest, .controlSignal(.next),
        ] {
            var conversation = PresentingConversation(name: "Anna")
            #expect(throws: PresentingFault.unknownCommand(message.command)) {
                try conversation.receive(.message(message, id: 0))
            }
        }
    }

    @Test func onlyPDFsWithinTheLimitAreSent() throws {
        let folder = try ServeFolder()
        let path = folder.path + "/talk.pdf"
        #expect(throws: SlidesFile.Fault.unreadable(reason: "No such file or directory")) {
            try SlidesFile(path: path)
        }
        try Data("PK zip".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SlidesFile.Fault.noPDF) { try SlidesFile(path: path) }
        try Data("%PDF-1.4 and more".utf8).write(to: URL(fileURLWithPath: path))
        var limits = PresentingLimits()
        limits.largestPDF = 10
        #expect(throws: SlidesFile.Fault.tooLarge(byteCount: 17, limit: 10)) {
            try SlidesFile(path: path, limits: limits)
        }
        #expect(throws: SlidesFile.Fault.unreadable(reason: "it is no file")) {
            try SlidesFile(path: folder.path)
        }
    }
}
