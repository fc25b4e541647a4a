import Testing

@testable import BackupLink

@Suite struct LineRingTests {
    @Test func theOldestLinesMakeRoomForTheNewest() {
        var ring = RecentLogLines(mostBytes: 100)
        for sequence in 1...5_000 as ClosedRange<UInt64> {
            ring.append(BackupLogLine(sequence: sequence, bytes: [UInt8](repeating: 0, count: 10)))
        }
        #expect(ring.oldestHeldLine?.sequence == 4_991 && ring.lastSequence == 5_000)
        #expect(!ring.reachesBackTo(4_989) && ring.reachesBackTo(4_990))
        #expect(ring.line(after: 4_989) == nil)
        #expect(ring.line(after: 4_990)?.sequence == 4_991)
        #expect(ring.line(after: 5_000) == nil)
    }

    @Test func missingNumbersAreStepsOver() {
        var ring = RecentLogLines(mostBytes: 100)
        ring.append(BackupLogLine(sequence: 3, bytes: [1]))
        ring.append(BackupLogLine(sequence: 9, bytes: [2]))
        #expect(ring.line(after: 3)?.sequence == 9)
        #expect(ring.line(5) == nil && ring.line(9)?.bytes == [2])
    }

    @Test func aLogThatBeginsAgainReplacesTheOldOne() {
        var ring = RecentLogLines(mostBytes: 100)
        ring.append(BackupLogLine(sequence: 8, bytes: [1]))
        ring.append(BackupLogLine(sequence: 1, bytes: [2]))
        #expect(ring.oldestHeldLine?.sequence == 1 && ring.lastSequence == 1)
    }
}
