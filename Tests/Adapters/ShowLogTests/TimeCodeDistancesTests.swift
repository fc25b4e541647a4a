import Testing

@testable import ShowLog
@testable import TestHelpers

@Suite struct TimeCodeDistancesTests {
    @Test func theReportHasTheDistancesInTheOrderOfTheirTimesWithoutDamagedLines() throws {
        let folder = try ServeFolder()
        #expect(TimeCodeDistances.read(show: folder.path) == nil)
        for (at, distance) in [(4_000, -12), (2_000, 30)] as [(Int64, Int64)] {
            TimeCodeDistances.append(atMilliseconds: at, distanceMilliseconds: distance, toShow: folder.path)
        }
        let written = try #require(folder.text("time-code.csv"))
        try folder.write(written + "6000,x\n\n80", to: "time-code.csv")
        #expect(TimeCodeDistances.read(show: folder.path) == [[2_000, 30], [4_000, -12]])
    }
}
