import Podium
import Testing

struct CopyWatchTests {
    private var watch = ReplicationMonitor(requestInterval: .milliseconds(50))

    @Test func itSaysHowOldTheCopyIs() {
        var watch = watch
        #expect(watch.copyAgeSentence(at: .zero) == "not copied yet" && !watch.isCurrent(at: .zero))
        watch.recordInSync(at: .seconds(10))
        #expect(watch.copyAgeSentence(at: .milliseconds(10_240)) == "same as the main, 0.2 s ago")
        #expect(watch.isCurrent(at: .seconds(12)) && !watch.isCurrent(at: .milliseconds(12_001)))
    }

    @Test func itAsksAgainSoonWhileAllIsWellAndSeldomerWhileItFails() {
        var watch = watch
        watch.recordInSync(at: .seconds(1))
        #expect(watch.nextRequestAt == .milliseconds(1_050))
        var pauses: [Duration] = []
        for _ in 0..<20 {
            watch.recordFailure("The disk is full.", at: .seconds(2))
            pauses.append(watch.nextRequestAt - .seconds(2))
        }
        #expect(
            pauses.first == ReplicationMonitor.firstRetryDelay
                && pauses.last == ReplicationMonitor.longestRetryDelay)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        watch.recordInSync(at: .seconds(3))
        #expect(watch.nextRequestAt == .milliseconds(3_050))
    }

    @Test func troubleIsToldBesideTheAgeUntilItIsOver() {
        var watch = watch
        watch.recordFailure("The disk is full.", at: .zero)
        #expect(watch.copyAgeSentence(at: .zero) == "The disk is full.")
        watch.recordInSync(at: .zero)
        watch.recordFailure("The disk is full.", at: .seconds(4))
        #expect(watch.copyAgeSentence(at: .seconds(5)) == "same as the main, 5.0 s ago; The disk is full.")
        watch.recordInSync(at: .seconds(6))
        #expect(
            watch.copyFailureReason == nil
                && watch.copyAgeSentence(at: .seconds(6)) == "same as the main, 0.0 s ago")
    }
}
