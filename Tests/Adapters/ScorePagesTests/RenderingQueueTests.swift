import Testing

@testable import ScorePages

@Suite struct RenderingQueueTests {
    private func key(_ page: Int, _ digest: String = "a") -> PageImageKey {
        PageImageKey(digest: digest, page: page, size: .small)
    }

    @Test func musiciansComeFirstAndInOrder() {
        var queue = PageDrawingQueue<Int>(maximumConcurrentDrawings: 2)
        queue.enqueue(key(9), urgent: false, 9)
        queue.enqueue(key(1), urgent: true, 1)
        queue.enqueue(key(2), urgent: true, 2)
        #expect(queue.startNext() == 1)
        #expect(queue.startNext() == 2)
        #expect(queue.startNext() == nil)
        queue.markFinished(key(1))
        #expect(queue.startNext() == 9)
    }

    @Test func onePlaceIsKeptFreeOfWorkAhead() {
        var queue = PageDrawingQueue<Int>(maximumConcurrentDrawings: 2)
        for page in 0..<5 { queue.enqueue(key(page), urgent: false, page) }
        #expect(queue.startNext() == 4)
        #expect(queue.startNext() == nil)
        queue.enqueue(key(7), urgent: true, 7)
        #expect(queue.startNext() == 7)
    }

    @Test func aPageSomebodyCameToIsNoLongerWorkAhead() {
        var queue = PageDrawingQueue<Int>(maximumConcurrentDrawings: 2)
        for page in 0..<3 { queue.enqueue(key(page), urgent: false, page) }
        #expect(queue.startNext() == 2)
        queue.makeUrgent(key(0))
        #expect(queue.startNext() == 0)
        #expect(queue.startNext() == nil)
    }

    @Test func aFileWithAHeavyPageHasOnePlace() {
        var queue = PageDrawingQueue<Int>(maximumConcurrentDrawings: 4)
        queue.markPDFHeavy("a")
        queue.enqueue(key(0), urgent: true, 0)
        queue.enqueue(key(1), urgent: true, 1)
        queue.enqueue(key(0, "b"), urgent: true, 10)
        #expect(queue.startNext() == 0)
        #expect(queue.startNext() == 10)
        #expect(queue.startNext() == nil)
        queue.markFinished(key(0))
        #expect(queue.startNext() == 1)
    }
}
