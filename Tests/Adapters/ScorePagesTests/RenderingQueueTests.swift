import Testing

@testable import ScorePages

@Suite struct RenderingQueueTests {
    private func key(_ page: Int, _ digest: String = "a") -> PageKey {
        PageKey(digest: digest, page: page, size: .small)
    }

    @Test func musiciansComeFirstAndInOrder() {
        var queue = PageDrawingQueue<Int>(places: 2)
        queue.enter(key(9), urgent: false, 9)
        queue.enter(key(1), urgent: true, 1)
        queue.enter(key(2), urgent: true, 2)
        #expect(queue.next() == 1)
        #expect(queue.next() == 2)
        #expect(queue.next() == nil)
        queue.leave(key(1))
        #expect(queue.next() == 9)
    }

    @Test func onePlaceIsKeptFreeOfWorkAhead() {
        var queue = PageDrawingQueue<Int>(places: 2)
        for page in 0..<5 { queue.enter(key(page), urgent: false, page) }
        #expect(queue.next() == 4)
        #expect(queue.next() == nil)
        queue.enter(key(7), urgent: true, 7)
        #expect(queue.next() == 7)
    }

    @Test func aPageSomebodyCameToIsNoLongerWorkAhead() {
        var queue = PageDrawingQueue<Int>(places: 2)
        for page in 0..<3 { queue.enter(key(page), urgent: false, page) }
        #expect(queue.next() == 2)
        queue.makeUrgent(key(0))
        #expect(queue.next() == 0)
        #expect(queue.next() == nil)
    }

    @Test func aFileWithAHeavyPageHasOnePlace() {
        var queue = PageDrawingQueue<Int>(places: 4)
        queue.isHeavy("a")
        queue.enter(key(0), urgent: true, 0)
        queue.enter(key(1), urgent: true, 1)
        queue.enter(key(0, "b"), urgent: true, 10)
        #expect(queue.next() == 0)
        #expect(queue.next() == 10)
        #expect(queue.next() == nil)
        queue.leave(key(0))
        #expect(queue.next() == 1)
    }
}
