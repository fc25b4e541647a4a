import NIOCore
import NIOEmbedded
import Testing

@testable import WebServer

@Suite struct EventRowTests {
    let hub = EventHub(listenerLimit: 3)
    let loop = EmbeddedEventLoop()

    @Test func newsAreOneChunkOfABody() {
        hub.publish("a", "1")
        hub.publish("b", "2")
        let chunk = hub.unseenEvents(after: 0).httpChunk.map { String(buffer: $0) }
        let body = "id: 1\nevent: a\ndata: 1\n\nid: 2\nevent: b\ndata: 2\n\n"
        #expect(chunk == String(body.utf8.count, radix: 16) + "\r\n" + body + "\r\n")
        #expect(hub.unseenEvents(after: 2).httpChunk == nil)
    }

    @Test func whoHasSeenTheSameIsSentTheSameBytes() {
        hub.publish("a", "1")
        let places = (0..<2).map { _ in
            hub.unseenEvents(after: 0).httpChunk?.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(places[0] != nil && places[0] == places[1])
    }

    @Test func whoIsBehindGetsTheNewestOnly() {
        for number in 1...50 { hub.publish("a", "\(number)") }
        hub.sendHeartbeat(atMilliseconds: 7)
        let text = hub.unseenEvents(after: 3).httpChunk.map { String(buffer: $0) } ?? ""
        #expect(text.contains("data: 50\n") && !text.contains("data: 49\n") && text.contains("beat"))
    }

    @Test func seatsAreCountedAndLimited() throws {
        let first = try #require(hub.addListener(on: loop))
        _ = try #require(hub.addListener(on: loop))
        _ = try #require(hub.addTaskListener())
        #expect(hub.listenerCount == 3 && hub.addListener(on: loop) == nil && hub.addTaskListener() == nil)
        hub.removeListener(first.group)
        #expect(hub.listenerCount == 2 && hub.addListener(on: loop) != nil)
    }

    @Test func snapshotOfASeatHoldsWhatCameBeforeIt() throws {
        hub.publish("a", "1")
        let seat = try #require(hub.addListener(on: loop))
        hub.publish("a", "2")
        #expect(String(buffer: seat.snapshot).contains(#"{"a":1}"#) && seat.lastSeenID == 1)
        #expect(
            hub.unseenEvents(after: seat.lastSeenID).httpChunk.map { String(buffer: $0) }?.contains("data: 2")
                == true)
    }

    @Test func closedHubSeatsNobody() {
        hub.close()
        #expect(hub.addListener(on: loop) == nil && hub.listenerCount == 0)
    }
}
