import Foundation
import Testing

@testable import Recordings

/// The age of recordings on machines whose own clock is wrong.
@Suite struct RetentionClockTests {
    private static let day: Int64 = 86_400_000
    private let file = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID())").path()

    private func clock(onDay day: Int64) -> RetentionClock {
        RetentionClock(file: file, wallMilliseconds: day * Self.day)
    }

    @Test func itBeginsWithTheMachinesClock() {
        #expect(clock(onDay: 20_000).milliseconds == 20_000 * Self.day)
    }

    @Test func aStartInAnotherYearAdvancesItByAWeekAtMost() {
        clock(onDay: 20_000).store(wallMilliseconds: 20_000 * Self.day)
        #expect(clock(onDay: 20_002).milliseconds == 20_002 * Self.day)
        #expect(clock(onDay: 24_000).milliseconds == 20_007 * Self.day)
        #expect(clock(onDay: 0).milliseconds == 20_000 * Self.day)
        try? FileManager.default.removeItem(atPath: file)
    }

    @Test func whileItRunsOnlyPassingTimeCounts() {
        var clock = clock(onDay: 20_000)
        clock.advance(by: .seconds(3_600))
        clock.advance(by: .seconds(-5))
        #expect(clock.milliseconds == 20_000 * Self.day + 3_600_000)
    }

    @Test(arguments: ["", "1", "a b", "-1 -1", "9223372036854775807 0", "1 2 3"])
    func aFileThatIsNotAClockIsNoTrap(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(clock(onDay: 20_000).milliseconds > 0)
        try FileManager.default.removeItem(atPath: file)
    }
}
