import Foundation
import Synchronization
import Testing

@testable import PresentingProtocol
@testable import TestHelpers

/// A server of the adapter in this process that answers as a test says, and keeps what it got.
private final class Hall: Sendable {
    private struct State {
        var port: Int?
        var connections: [PresentingConnection] = []
        var parts: [PresentingDecoder.Part] = []
        var registrations = 0
    }

    private let state = Mutex(State())
    private let limits: PresentingLimits
    private let answer: @Sendable (PresentingDecoder.Part, PresentingConnection) -> Void

    init(
        limits: PresentingLimits = PresentingLimits(),
        _ answer: @escaping @Sendable (PresentingDecoder.Part, PresentingConnection) -> Void
    ) { (self.limits, self.answer) = (limits, answer) }

    var port: Int? { state.withLock { $0.port } }
    var parts: [PresentingDecoder.Part] { state.withLock { $0.parts } }
    var connections: [PresentingConnection] { state.withLock { $0.connections } }

    func run() async throws {
        try await PresentingServer(address: "127.0.0.1", port: 0, limits: limits).run { port in
            state.withLock { $0.port = port }
        } serve: { [self] connection, reader in
            state.withLock { $0.connections.append(connection) }
            while let part = try await reader.next() {
                state.withLock { $0.parts.append(part) }
                answer(part, connection)
            }
        }
    }

    /// Everything that arrived, with files in one piece.
    var messages: [PresentingMessage] {
        var (messages, file): ([PresentingMessage], [UInt8]) = ([], [])
        for part in parts {
            switch part {
            case .message(let message, _): messages.append(message)
            case .fileBegins: file = []
            case .fileBytes(let bytes): file += bytes
            case .fileEnds: messages.append(.pdf(bytes: file))
            }
        }
        return messages
    }

    /// Answers as the real server does to a speaker who has the floor.
    static func obliging(_ part: PresentingDecoder.Part, _ connection: PresentingConnection) {
        switch part {
        case .message(.registerRequest, _): connection.send(.registerSuccess, id: 7)
        case .message(.controlRequest, _): connection.send(.grantControl, id: 7)
        case .message(.controlSignal(.goTo(slide: 99)), _):
            connection.send(.signalFailure(code: 4, detail: 0), id: 7)
        case .message(.controlSignal, _): connection.send(.signalSuccess, id: 7)
        case .message(.presentersRequest, _):
            connection.send(
                .presenters([ListedPresenter(id: 7, isConnected: true, hasFloor: true, name: "Anna")]), id: 7)
        case .message(.annotation, _): connection.send(.annotationResponse, id: 7)
        case .message(.unregisterRequest, _):
            connection.send(.unregisterResponse, id: 7)
            connection.close()
        case .fileEnds: connection.send(.pdfAcknowledge, id: 7)
        default: break
        }
    }
}

@Suite(.ownThreads) struct ClientTests {
    private final class Events: Sendable {
        private let all = Mutex<[PresentingClient.Event]>([])
        var happened: [PresentingClient.Event] { all.withLock { $0 } }
        func take(_ event: PresentingClient.Event) { all.withLock { $0.append(event) } }
        func count(_ isSo: (PresentingClient.Event) -> Bool) -> Int { happened.count(where: isSo) }
    }

    /// Runs a client against a hall.
    /// - Returns: the client's fault; nil if the body has ended first.
    @discardableResult
    private func meet(
        _ hall: Hall, _ body: @escaping @Sendable (PresentingClient, Events) async throws -> Void
    ) async throws -> PresentingClient.Fault? {
        try await withThrowingTaskGroup(of: PresentingClient.Fault?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try? await hall.run()
                return nil
            }
            guard await eventually({ hall.port != nil }), let port = hall.port else { return .closed }
            let events = Events()
            let client = PresentingClient(
                endpoints: [.init(address: "127.0.0.1", port: port)], name: "Anna"
            ) { events.take($0) }
            return try await withThrowingTaskGroup(of: PresentingClient.Fault?.self) { pair in
                defer { pair.cancelAll() }
                pair.addTask {
                    do { try await client.run() } catch let fault as PresentingClient.Fault { return fault }
                    return nil
                }
                pair.addTask {
                    try await body(client, events)
                    return nil
                }
                return try await pair.next() ?? nil
            }
        }
    }

    @Test func everyRequestArrivesAndIsAnswered() async throws {
        let folder = try ServeFolder()
        let pdf = Array("%PDF-1.4 ".utf8) + (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(pdf).write(to: URL(fileURLWithPath: folder.path + "/talk.pdf"))
        let file = try SlidesFile(path: folder.path + "/talk.pdf")
        let hall = Hall(Hall.obliging)
        try await meet(hall) { client, events in
            #expect(
                await eventually {
                    events.happened.contains { if case .registered(7, _, false) = $0 { true } else { false } }
                })
            #expect(await client.perform(.slides(file)) == .done)
            #expect(await client.perform(.askForFloor) == .done)
            #expect(await client.perform(.signal(.goTo(slide: 2))) == .done)
            #expect(await client.perform(.signal(.goTo(slide: 99))) == .refused(code: 4))
            #expect(
                await client.perform(.listPresenters)
                    == .presenters([ListedPresenter(id: 7, isConnected: true, hasFloor: true, name: "Anna")]))
            #expect(await client.perform(.draw(type: 1, bytes: [1, 2])) == .done)
            #expect(await client.perform(.unregister) == .done)
            #expect(events.happened.contains(.floorGranted))
            #expect(events.happened.contains(.sent(byteCount: pdf.count, of: pdf.count)))
        }
        #expect(
            hall.messages == [
                .registerRequest(name: "Anna"), .pdf(bytes: pdf), .controlRequest,
                .controlSignal(.goTo(slide: 2)),
                .controlSignal(.goTo(slide: 99)), .presentersRequest, .annotation(type: 1, bytes: [1, 2]),
                .unregisterRequest,
            ])
    }

    @Test func aLostConnectionIsMadeAgainAndItsRequestsEnd() async throws {
        let hall = Hall { part, connection in
            if case .message(.controlSignal, _) = part {
                connection.close()
            } else {
                Hall.obliging(part, connection)
            }
        }
        try await meet(hall) { client, events in
            #expect(await eventually { events.happened.count == 1 })
            #expect(await client.perform(.signal(.next)) == .connectionLost)
            #expect(
                await eventually {
                    events.count { if case .registered(7, _, true) = $0 { true } else { false } } == 1
                })
            #expect(events.happened.contains(.disconnected) && hall.connections.count == 2)
            #expect(await client.perform(.askForFloor) == .done)
        }
    }

    @Test func aRefusedNameSaysWhetherTheCodeIsWrong() async throws {
        for isCodeWrong in [true, false] {
            let hall = Hall { _, connection in
                connection.send(.registerFailure, id: 255)
                if isCodeWrong { connection.close() }
            }
            let fault = try await meet(hall) { _, _ in try await Task.sleep(for: .seconds(120)) }
            #expect(fault == .refused(isCodeWrong: isCodeWrong))
        }
    }

    @Test func somebodyWhoWasRemovedDoesNotComeBack() async throws {
        let hall = Hall { part, connection in
            Hall.obliging(part, connection)
            connection.send(.unregisterResponse, id: 7)
            connection.close()
        }
        let fault = try await meet(hall) { _, _ in try await Task.sleep(for: .seconds(120)) }
        #expect(fault == .removed && hall.connections.count == 1)
    }

    @Test func withoutAServerTheReasonIsSaid() async throws {
        let client = PresentingClient(endpoints: [.init(address: "127.0.0.1", port: 1)], name: "Anna") { _ in
        }
        await #expect(throws: PresentingClient.Fault.unreachable(reason: "Connection refused")) {
            try await client.run()
        }
        #expect(await client.perform(.askForFloor) == .notConnected)
    }

    /// Twelve addresses without a code hold as many connections as they can; then forty speakers come.
    @Test func strangersKeepNoSpeakerOut() {
        let open = OpenConnections(PresentingLimits())
        let ended = Mutex<Set<String>>([])
        func connect(_ name: String, from address: String) {
            open.add(name, from: address) { ended.withLock { _ = $0.insert(name) } }
        }
        for number in 0..<480 { connect("stranger \(number)", from: "10.0.0.\(number % 12)") }
        for number in 0..<40 {
            connect("speaker \(number)", from: "10.0.1.\(number)")
            #expect(open.register("speaker \(number)"))
            connect("another \(number)", from: "10.0.0.\(number % 12)")
        }
        #expect(ended.withLock { $0.count { $0.hasPrefix("speaker") } } == 0)
        #expect(!open.register("stranger 0"), "its connection has ended")
        connect("a speaker beside strangers", from: "10.0.0.3")
        #expect(open.register("a speaker beside strangers"))
    }

    @Test func oneAddressCannotTakeAllPlacesOfSpeakers() {
        let open = OpenConnections(PresentingLimits())
        func register(_ name: String, from address: String) -> Bool {
            open.add(name, from: address) {}
            return open.register(name)
        }
        for number in 0..<40 { #expect(register("\(number)", from: "192.168.1.66")) }
        #expect(!register("x", from: "192.168.1.66"), "the forty-first of one address")
        #expect(register("y", from: "192.168.1.67"), "others are not affected")
        open.remove("0")
        #expect(register("z", from: "192.168.1.66"), "a closed one makes room")
        for number in 0..<(254 - 41) {
            #expect(register("own \(number)", from: "127.0.0.1"), "this machine's own have no share")
        }
        #expect(!register("u", from: "127.0.0.1") && !register("v", from: "192.168.1.68"))
    }
}
