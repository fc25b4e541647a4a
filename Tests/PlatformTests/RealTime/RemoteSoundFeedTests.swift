import Platform
import Testing

@Suite struct RemoteSoundFeedTests {
    private func write(_ samples: [Float], to feed: RemoteSoundFeed) {
        samples.withUnsafeBufferPointer { feed.write($0) }
    }

    private func read(_ feed: RemoteSoundFeed) -> [Float] {
        var buffer = [Float](repeating: -1, count: 100)
        let count = buffer.withUnsafeMutableBufferPointer { feed.read(into: $0) }
        return Array(buffer.prefix(count))
    }

    @Test func whatComesInTimeIsReadInOrder() {
        let feed = RemoteSoundFeed(capacity: 64)
        write([1, 2], to: feed)
        feed.writeSilence(count: 2)
        write([3], to: feed)
        #expect(read(feed) == [1, 2, 0, 0, 3])
        #expect(feed.lateSamples == 0)
    }

    @Test func soundInWhosePlaceSilenceWasHeardIsLeftOut() {
        let feed = RemoteSoundFeed(capacity: 64)
        feed.noteSilence(count: 3)
        write([1, 2], to: feed)
        #expect(read(feed) == [])
        write([3, 4, 5], to: feed)
        #expect(read(feed) == [4, 5])
        #expect(feed.lateSamples == 3)
    }

    @Test func lostSoundPaysForTheSilenceToo() {
        let feed = RemoteSoundFeed(capacity: 64)
        feed.noteSilence(count: 5)
        feed.writeSilence(count: 4)
        write([1, 2], to: feed)
        #expect(read(feed) == [2])
    }

    @Test func anotherDeviceOwesNothing() {
        let feed = RemoteSoundFeed(capacity: 64)
        feed.noteSilence(count: 5)
        feed.begin()
        write([1, 2], to: feed)
        #expect(read(feed) == [1, 2])
    }
}
