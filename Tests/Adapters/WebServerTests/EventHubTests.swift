import NIOCore
import Testing

@testable import WebServer

extension EventHub {
    func publish(_ section: String, _ text: String) { publishStateSection(section, Array(text.utf8)) }
}

extension EventListener {
    /// The events that this listener would be sent now.
    var unseen: [String] { hub.takeUnseenEvents(registration).map { String(buffer: $0) } }
}

@Suite struct EventHubTests {
    let hub = EventHub()

    @Test func whoJoinsGetsAllSectionsInOneEvent() throws {
        hub.publish("show", #"{"title":"A"}"#)
        hub.publish("position", #"{"measure":1}"#)
        hub.publish("position", #"{"measure":2}"#)
        hub.setStateSectionForNewListeners("history", Array("[1,2]".utf8))
        hub.sendTransient("notice", Array("{}".utf8))
        hub.sendHeartbeat(atMilliseconds: 5)
        let listener = try #require(hub.addTaskListener())
        #expect(
            listener.unseen == [
                "retry: 500\nid: 5\nevent: snapshot\ndata: "
                    + #"{"show":{"title":"A"},"position":{"measure":2},"history":[1,2]}"# + "\n\n"
            ])
        #expect(listener.unseen.isEmpty)
    }

    @Test func emptyHubHasAnEmptySnapshot() throws {
        let listener = try #require(hub.addTaskListener())
        #expect(listener.unseen == ["retry: 500\nid: 0\nevent: snapshot\ndata: {}\n\n"])
    }

    @Test func keptSectionReachesTheNextWhoJoins() throws {
        hub.publish("a", "1")
        _ = try #require(hub.addTaskListener()).unseen
        hub.setStateSectionForNewListeners("history", Array("[3]".utf8))
        #expect(try #require(hub.addTaskListener()).unseen[0].contains(#""history":[3]"#))
    }

    @Test func changesFollowTheSnapshotWithRisingIDs() throws {
        hub.publish("a", "1")
        let listener = try #require(hub.addTaskListener())
        hub.publish("b", "2")
        hub.publish("a", "3")
        #expect(listener.unseen.count == 1)
        #expect(listener.unseen == ["id: 2\nevent: b\ndata: 2\n\n", "id: 3\nevent: a\ndata: 3\n\n"])
    }

    @Test func slowListenerGetsTheNewestOfEachSectionOnly() throws {
        let listener = try #require(hub.addTaskListener())
        _ = listener.unseen
        for number in 1...10_000 {
            hub.publish("meters", "\(number)")
            if number % 100 == 0 { hub.publish("position", "\(number)") }
            hub.sendHeartbeat(atMilliseconds: Int64(number))
        }
        let unseen = listener.unseen
        #expect(
            unseen.map { $0.split(separator: "\n").dropFirst().joined(separator: " ") } == [
                "event: meters data: 10000", "event: position data: 10000",
                #"event: beat data: {"at":10000}"#,
            ])
        #expect(unseen.map(\.count).reduce(0, +) < 200)
    }

    @Test func passingEventsAreKeptToTheNewestSixteen() throws {
        let listener = try #require(hub.addTaskListener())
        _ = listener.unseen
        for number in 1...100 { hub.sendTransient("notice", Array("\(number)".utf8)) }
        #expect(
            listener.unseen.compactMap { $0.split(separator: "\n").last } == (85...100).map { "data: \($0)" })
        #expect(try #require(hub.addTaskListener()).unseen[0].contains("notice") == false)
    }

    @Test func lineBreaksStayInsideTheirEvent() throws {
        let listener = try #require(hub.addTaskListener())
        _ = listener.unseen
        hub.publish("a", "{\r\n\"b\": 1\n}")
        #expect(listener.unseen == ["id: 1\nevent: a\ndata: {\ndata: \"b\": 1\ndata: }\n\n"])
    }

    @Test func bytesAreSharedByAllListeners() throws {
        let listeners = (0..<3).compactMap { _ in hub.addTaskListener() }
        for listener in listeners { _ = listener.unseen }
        hub.publish("a", String(repeating: "x", count: 1_000))
        let places = listeners.map { listener in
            hub.takeUnseenEvents(listener.registration)[0].withUnsafeReadableBytes {
                UInt(bitPattern: $0.baseAddress)
            }
        }
        #expect(Set(places).count == 1)
    }

    @Test func leavingIsCountedInAnyOrder() throws {
        let listeners = (0..<200).compactMap { _ in hub.addTaskListener() }
        #expect(hub.listenerCount == 200)
        for listener in listeners.shuffled() {
            listener.leave()
            listener.leave()
        }
        #expect(hub.listenerCount == 0)
        hub.publish("a", "1")
    }

    @Test func afterSomeoneLeftEveryOtherStillHears() throws {
        let listeners = (0..<5).compactMap { _ in hub.addTaskListener() }
        for listener in listeners { _ = listener.unseen }
        listeners[1].leave()
        hub.publish("a", "1")
        for (index, listener) in listeners.enumerated() { #expect(listener.unseen.isEmpty == (index == 1)) }
    }

    @Test func fullHubTurnsAway() {
        let hub = EventHub(listenerLimit: 2)
        let first = hub.addTaskListener()
        #expect(first != nil && hub.addTaskListener() != nil && hub.addTaskListener() == nil)
        first?.leave()
        #expect(hub.addTaskListener() != nil)
    }

    @Test func closingEndsEveryStreamAndRefusesNewOnes() async throws {
        let listener = try #require(hub.addTaskListener())
        hub.close()
        var batches = 0
        try await listener.listen { _ in batches += 1 }
        #expect(batches <= 1)
        #expect(hub.addTaskListener() == nil)
        #expect(hub.listenerCount == 0)
        hub.publish("a", "1")
    }

    @Test func listenerThatStallsGetsTheNewestStateNext() async throws {
        let listener = try #require(hub.addTaskListener())
        let (hub, received) = (hub, Received())
        try await listener.listen { frames in
            let round = await received.add(frames.map { String(buffer: $0) })
            // While the first batch is being written, much happens.
            if round == 1 { for number in 1...500 { hub.publish("position", "\(number)") } }
            if round == 2 { hub.close() }
        }
        let batches = await received.batches
        #expect(batches.count == 2)
        #expect(batches.last == ["id: 500\nevent: position\ndata: 500\n\n"])
    }

    @Test func manyWritersAndListenersLoseNoLastValue() async throws {
        let (hub, listeners) = (hub, 8)
        let last = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<listeners {
                group.addTask {
                    guard let listener = hub.addTaskListener() else { return [] }
                    defer { listener.leave() }
                    var seen: [String: String] = [:]
                    for await _ in listener.wakeUps {
                        for frame in listener.unseen {
                            let lines = frame.split(separator: "\n")
                            if lines.count == 3 { seen[String(lines[1])] = String(lines[2]) }
                        }
                        if seen.count == 4, seen.values.allSatisfy({ $0 == "data: 2000" }) { break }
                    }
                    return seen.sorted { $0.key < $1.key }.map { $0.key + $0.value }
                }
            }
            while hub.listenerCount < listeners { await Task.yield() }
            for writer in 0..<4 {
                group.addTask {
                    for number in 1...2_000 { hub.publish("s\(writer)", "\(number)") }
                    return []
                }
            }
            return await group.reduce(into: [[String]]()) { $0.append($1) }.filter { !$0.isEmpty }
        }
        #expect(last.count == listeners)
        #expect(Set(last).count == 1)
    }
}

private actor Received {
    var batches: [[String]] = []

    func add(_ batch: [String]) -> Int {
        batches.append(batch)
        return batches.count
    }
}
