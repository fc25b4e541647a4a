import Foundation
import NIOCore
import Synchronization
import Testing

@testable import TestHelpers
@testable import WebServer

private func frame(_ text: String) -> EncodedStreamMessage { EncodedStreamMessage(Array(text.utf8)) }

extension EncodedStreamMessage {
    fileprivate var text: String { String(buffer: httpChunk) }
}

@Suite struct PersonalStreamTests {
    private func take(_ stream: PersonalStream) -> [String] {
        var all: [String] = []
        while case .messages(let frames) = stream.takeNextData() { all += frames.map(\.text) }
        return all
    }

    @Test func frameIsAChunkOfItsOwn() {
        #expect(frame(#"{"a":1}"#).text == "f\r\ndata: {\"a\":1}\n\n\r\n")
        #expect(
            EncodedStreamMessage(Array("1".utf8), event: "beat").text == "15\r\nevent: beat\ndata: 1\n\n\r\n")
    }

    @Test func nudgeIsAChunkThatHoldsAComment() {
        let text = String(buffer: TailLossProbe.probeBytes)
        #expect(text == "3\r\n:\n\n\r\n")
    }

    @Test func whatIsAcknowledgedIsNotNudgedAndNothingIsNudgedForEver() {
        #expect(!TailLossProbe.isDue(unacknowledged: 0, sent: 0))
        #expect(TailLossProbe.isDue(unacknowledged: 1, sent: TailLossProbe.mostProbes - 1))
        #expect(!TailLossProbe.isDue(unacknowledged: 1, sent: TailLossProbe.mostProbes))
    }

    @Test func lineBreakForgesNoMessage() {
        #expect(frame("1\n\ndata: 2\r").text == "13\r\ndata: 1  data: 2 \n\n\r\n")
    }

    @Test func everythingComesInOrderAndOfASlotTheNewestOnly() {
        let stream = PersonalStream(slots: 2)
        stream.send(frame("1"))
        stream.replaceSlotValue(0, frame("old"))
        stream.send(frame("2"))
        stream.replaceSlotValue(0, frame("new"))
        stream.sendFirstMessages([frame("first")])
        #expect(take(stream) == ["first", "1", "2", "new"].map { frame($0).text })
        stream.send(frame("3"))
        #expect(take(stream) == [frame("3").text])
    }

    @Test func whatIsToldTogetherComesAsIfToldOneByOne() {
        let streams = [PersonalStream(slots: 2), PersonalStream(slots: 2)]
        for stream in streams { stream.sendFirstMessages([]) }
        var bells = StreamMessageBatch()
        bells.send(frame("turn"), to: streams)
        bells.replaceSlotValue(1, frame("old"), of: streams)
        bells.replaceSlotValue(1, frame("page"), of: streams.prefix(1))
        bells.ring()
        #expect(take(streams[0]) == ["turn", "page"].map { frame($0).text })
        #expect(take(streams[1]) == ["turn", "old"].map { frame($0).text })
    }

    @Test func nothingLeavesBeforeTheBeginning() {
        let stream = PersonalStream(slots: 1)
        stream.send(frame("1"))
        #expect(take(stream).isEmpty)
        stream.sendFirstMessages([])
        #expect(take(stream) == [frame("1").text])
    }

    @Test func readerTooFarBehindIsClosedButALargeBeginningIsNot() {
        let stream = PersonalStream(slots: 1)
        let large = EncodedStreamMessage(Array(repeating: 65, count: 3 * PersonalStream.mostWaitingBytes))
        stream.sendFirstMessages([large])
        #expect(take(stream).count == 1)
        let tenth = EncodedStreamMessage(Array(repeating: 65, count: PersonalStream.mostWaitingBytes / 10))
        for _ in 0..<9 { stream.send(tenth) }
        #expect(!stream.isTooSlow)
        for _ in 0..<2 { stream.send(tenth) }
        guard case .tooSlow = stream.takeNextData() else {
            Issue.record("it is not closed")
            return
        }
    }

    @Test func endIsToldOnceAndNothingIsKeptBehindIt() {
        let ends = Mutex(0)
        let stream = PersonalStream(slots: 1) { _ in ends.withLock { $0 += 1 } }
        stream.close()
        stream.close()
        stream.send(frame("1"))
        stream.end()
        #expect(ends.withLock { $0 } == 1 && stream.isOver && stream.waitingBytes == 0)
    }
}

/// Over loopback.
@Suite(.ownThreads, .serialized) struct PersonalServiceTests {
    /// Streams by the name in the query, as they were opened.
    private final class Opened: Sendable {
        let streams = Mutex<[String: PersonalStream]>([:])
        let ended = Mutex<[String]>([])

        func open(_ request: WebRequest) -> PersonalStreams.OpenResult {
            guard let name = request.queryParameters["name"] else {
                return .refused(.refused(404, "who", "Who?"))
            }
            let stream = PersonalStream(slots: 1) { _ in self.ended.withLock { $0.append(name) } }
            stream.sendFirstMessages([frame("\"hello \(name)\"")])
            streams.withLock { $0[name] = stream }
            return .stream(stream)
        }
    }

    private let anybody = ResourceQuota.Holder(address: "10.0.0.1")

    private func stage(_ opened: Opened, limit: Int = 10) throws -> (Stage, PersonalStreams) {
        let streams = PersonalStreams(ResourceQuota.Limits(total: limit)) { opened.open($0) }
        return (
            try Stage(
                { $0.timeouts.slowReader = .seconds(5) },
                routes: [.personalStreams("/own", .signedIn, streams)]),
            streams
        )
    }

    /// On a thread of its own: one that the server needs is not held meanwhile.
    /// - Parameter end: nil for all until the other side closes.
    private func hear(_ client: RawClient, until end: String?) async -> String {
        await withCheckedContinuation { heard in
            Thread.detachNewThread {
                heard.resume(returning: end.map { client.receive(until: $0) } ?? client.receiveAll())
            }
        }
    }

    @Test func eachHearsItsOwnAndAllHearWhatIsForAll() async throws {
        let opened = Opened()
        let (stage, streams) = try stage(opened)
        let token = stage.accounts.token("ines")
        let (one, two) = try await stage.live { port in
            let (one, two) = (try RawClient(port: port), try RawClient(port: port))
            one.get("/own?name=one", token: token)
            two.get("/own?name=two", token: token)
            var heardOne = await hear(one, until: "hello one")
            var heardTwo = await hear(two, until: "hello two")
            let all = opened.streams.withLock { $0 }
            all["one"]?.send(frame("\"for one\""))
            PersonalStream.send(frame("\"for all\""), to: all.values)
            heardOne += await hear(one, until: "for all")
            heardTwo += await hear(two, until: "for all")
            #expect(streams.openStreamCount == 2)
            return (heardOne, heardTwo)
        }
        #expect(one.hasPrefix("HTTP/1.1 200 OK\r\n") && one.contains("retry: 500\n"))
        #expect(one.lowercased().contains("content-type: text/event-stream"))
        #expect(one.contains("for one") && !two.contains("for one"))
        // The server is stopped: all streams are over and everybody was told.
        #expect(streams.openStreamCount == 0 && opened.ended.withLock { $0.sorted() } == ["one", "two"])
    }

    @Test func strangersAndRefusedOnesGetAnAnswerAndNoStream() async throws {
        let opened = Opened()
        let (stage, streams) = try stage(opened)
        let token = stage.accounts.token("ines")
        let (stranger, refused) = try await stage.live { port in
            let (one, two) = (try RawClient(port: port), try RawClient(port: port))
            one.get("/own?name=one", token: "nonsense")
            two.get("/own", token: token)
            return (await hear(one, until: "}"), await hear(two, until: "}"))
        }
        #expect(stranger.hasPrefix("HTTP/1.1 401") && refused.hasPrefix("HTTP/1.1 404"))
        #expect(streams.openStreamCount == 0)
    }

    @Test func readerThatStallsLosesNothingUntilItIsClosed() async throws {
        let opened = Opened()
        let (stage, streams) = try stage(opened)
        let token = stage.accounts.token("ines")
        let filling = String(repeating: "x", count: 1_000)
        let numbers = try await stage.live { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4_096)
            client.get("/own?name=slow", token: token)
            _ = await hear(client, until: "hello")
            let stream = opened.streams.withLock { $0["slow"]! }
            var number = 0
            while !stream.isOver, number < 20_000 {
                number += 1
                stream.send(frame("{\"n\":\(number),\"x\":\"\(filling)\"}"))
                // The first go out at once, as they do to a reader that has not stalled yet.
                guard number == 20 else { continue }
                #expect(await eventually { stream.waitingBytes == 0 })
            }
            // The last may be cut off anywhere, in its number, too.
            return await hear(client, until: nil).split(separator: "{\"n\":").dropFirst()
                .compactMap { $0.contains(",") ? Int($0.prefix { $0 != "," }) : nil }
        }
        #expect(numbers.count > 10 && numbers == Array(1...numbers.count))
        #expect(opened.ended.withLock { $0 } == ["slow"] && streams.openStreamCount == 0)
    }

    @Test func readerWhoLeavesIsNotCounted() async throws {
        let opened = Opened()
        let (stage, streams) = try stage(opened)
        let token = stage.accounts.token("ines")
        let left = try await stage.live { port in
            let client = try RawClient(port: port)
            client.get("/own?name=one", token: token)
            _ = await hear(client, until: "hello")
            client.close()
            _ = await eventually { streams.openStreamCount == 0 }
            return streams.openStreamCount
        }
        #expect(left == 0 && opened.ended.withLock { $0 } == ["one"])
    }

    @Test func browserThatGoesBeforeTheFirstByteTakesNoPlace() throws {
        let opened = Opened()
        let streams = PersonalStreams(ResourceQuota.Limits(total: 3)) { opened.open($0) }
        let ended = Mutex(0)
        for _ in 0..<20 {
            let stream = PersonalStream(slots: 1) { _ in ended.withLock { $0 += 1 } }
            try streams.addStream(stream, for: anybody)
            // The answer that would have written it is thrown away.
            _ = PersonalStreamLease(stream, among: streams)
        }
        #expect(streams.openStreamCount == 0 && ended.withLock { $0 } == 20)
    }

    @Test func browsersThatAskAndGoLeaveAllPlacesFree() async throws {
        let opened = Opened()
        let asked = Mutex(0)
        let streams = PersonalStreams(ResourceQuota.Limits(total: 10)) { request in
            asked.withLock { $0 += 1 }
            // Time in which the browser goes: some while the stream opens, some after.
            try? await Task.sleep(for: .milliseconds(5))
            return opened.open(request)
        }
        let stage = try Stage(
            { $0.timeouts.slowReader = .seconds(5) }, routes: [.personalStreams("/own", .signedIn, streams)])
        let token = stage.accounts.token("ines")
        let heard = try await stage.live { port in
            for number in 0..<60 {
                let client = try RawClient(port: port)
                client.get("/own?name=\(number)", token: token)
                // Half of them go at once, the others while they are being answered.
                if number.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(2)) }
                client.close()
            }
            // Connections are taken in order: once this one is answered, the server has seen all the others.
            let after = try RawClient(port: port)
            after.get("/healthz")
            _ = await hear(after, until: "}")
            after.close()
            func areAllGone() -> Bool {
                let (begun, all) = (asked.withLock { $0 }, opened.streams.withLock { $0.count })
                return stage.server.connectionCount == 0 && begun == all
                    && opened.ended.withLock { $0.count } == all
            }
            #expect(await eventually(areAllGone) && streams.openStreamCount == 0)
            let client = try RawClient(port: port)
            client.get("/own?name=last", token: token)
            return await hear(client, until: "hello")
        }
        #expect(heard.contains("hello last"))
    }

    @Test func streamsThatAreOverTakeNoPlace() throws {
        let streams = PersonalStreams(ResourceQuota.Limits(total: 2)) { _ in .refused(.notFound) }
        for _ in 0..<20 {
            let stream = PersonalStream(slots: 1)
            #expect(!streams.isFull)
            try streams.addStream(stream, for: anybody)
            stream.close()
        }
        #expect(streams.openStreamCount == 0)
        let living = [PersonalStream(slots: 1), PersonalStream(slots: 1)]
        for stream in living { try streams.addStream(stream, for: anybody) }
        #expect(throws: ResourceQuota.Refusal.full) {
            try streams.addStream(PersonalStream(slots: 1), for: anybody)
        }
        #expect(streams.isFull && streams.openStreamCount == 2)
    }

    @Test func oneAccountHasItsShareAndTheNewestIsRefused() throws {
        let streams = PersonalStreams(ResourceQuota.Limits(total: 100, perAccount: 16)) { _ in
            .refused(.notFound)
        }
        let max = ResourceQuota.Holder(address: "10.0.0.1", account: "max")
        let open = (0..<16).map { _ in PersonalStream(slots: 1) }
        for stream in open { try streams.addStream(stream, for: max) }
        for _ in 0..<100 {
            #expect(throws: ResourceQuota.Refusal.accountHasItsShare(16)) {
                try streams.addStream(PersonalStream(slots: 1), for: max)
            }
        }
        #expect(open.allSatisfy { !$0.isOver } && streams.openStreamCount == 16)
        try streams.addStream(
            PersonalStream(slots: 1), for: ResourceQuota.Holder(address: "10.0.0.1", account: "nora"))
        // A stand that comes back: its stream of before is over.
        open[3].close()
        try streams.addStream(PersonalStream(slots: 1), for: max)
        #expect(streams.openStreamCount == 17)
    }

    @Test func limitIsKept() async throws {
        let opened = Opened()
        let (stage, _) = try stage(opened, limit: 1)
        let token = stage.accounts.token("ines")
        let text = try await stage.live { port in
            let (one, two) = (try RawClient(port: port), try RawClient(port: port))
            one.get("/own?name=one", token: token)
            _ = await hear(one, until: "hello")
            two.get("/own?name=two", token: token)
            return await hear(two, until: "}")
        }
        #expect(text.hasPrefix("HTTP/1.1 503") && text.contains(#""code":"full""#))
    }
}
