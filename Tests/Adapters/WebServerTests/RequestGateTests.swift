import NIOCore
import NIOPosix
import Testing

@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct RequestGateTests {
    /// A connection that remembers when its request began, among those of a test.
    private final class Connection: GatedConnection {
        let name: String
        var isOpen = true
        let begun: Begun

        init(_ name: String, _ begun: Begun) { (self.name, self.begun) = (name, begun) }

        func beginWaitingRequest() -> Bool {
            if isOpen { begun.names.append(name) }
            return isOpen
        }
    }

    private final class Begun {
        var names: [String] = []
    }

    private func onALoop<Value: Sendable>(_ work: @escaping @Sendable (RequestGate) -> Value) async throws
        -> Value
    {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.submit { work(RequestGate(loop: loop)) }.get()
    }

    private static func stranger(_ number: Int) -> ResourceQuota.Holder { .init(address: "10.0.0.\(number)") }

    @Test func aFewRequestsBeginAndAddressesTakeTurns() async throws {
        let (admitted, begun) = try await onALoop { gate in
            let begun = Begun()
            let flood = (0..<50).map { Connection("flood \($0)", begun) }
            let admitted = flood.filter { gate.admitRequest(of: $0, for: Self.stranger(1)) }
            let phone = Connection("phone", begun)
            #expect(!gate.admitRequest(of: phone, for: Self.stranger(2)))
            flood[10].isOpen = false
            gate.beginWaitingRequests()
            #expect(begun.names.isEmpty)
            // Only those that had begun make room.
            for connection in flood.prefix(8) { gate.endBeginning(of: connection) }
            gate.beginWaitingRequests()
            #expect(gate.waitingCount == 50 + 1 - 4 - 4)
            for connection in flood.prefix(20) { gate.endBeginning(of: connection) }
            gate.beginWaitingRequests()
            return (admitted.count, begun.names)
        }
        #expect(admitted == RequestGate.mostBeginningRequests)
        #expect(begun == ["flood 4", "phone", "flood 5", "flood 6", "flood 7", "flood 8", "flood 9"])
    }

    @Test func thoseWhoRunTheEveningDoNotWait() async throws {
        let admitted = try await onALoop { gate in
            let begun = Begun()
            let flood = (0..<50).map { Connection("\($0)", begun) }
            for connection in flood { _ = gate.admitRequest(of: connection, for: Self.stranger(1)) }
            defer { withExtendedLifetime(flood) {} }
            return [.staff, .ownMachine, .anybody].map { trust in
                gate.admitRequest(
                    of: Connection("\(trust)", begun), for: .init(address: "10.0.0.3", trustLevel: trust))
            }
        }
        #expect(admitted == [true, true, false])
    }

    /// Requests are sent together, on one connection and on many; each is answered, in order.
    @Test func everyRequestOfManyConnectionsIsAnswered() async throws {
        let route = WebRoute(.get, "/number/:number", .anybody) { request in
            .json(["number": request.pathParameters["number"] ?? ""])
        }
        let stage = try Stage(routes: [route])
        try await stage.live { port in
            let clients = try (0..<60).map { try RawClient(port: port, from: "127.0.0.\(9 + $0 % 5)") }
            for client in clients {
                client.send((0..<5).map { "GET /number/\($0) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }.joined())
            }
            for client in clients {
                let answers = client.receive(until: #""4""#)
                let numbers = answers.split(separator: #""number":""#).dropFirst().map { $0.prefix(1) }
                #expect(numbers == ["0", "1", "2", "3", "4"])
            }
        }
    }

    @Test func aRequestWhoseSenderHasNothingMoreToSendIsAnswered() async throws {
        let stage = try Stage(routes: [WebRoute(.get, "/a", .anybody) { _ in .json(["number": "1"]) }])
        let answers = try await stage.live { port in
            let client = try RawClient(port: port)
            client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 3))
            client.finishSending()
            return client.receiveAll()
        }
        #expect(answers.split(separator: #""number""#).count == 4)
    }
}
