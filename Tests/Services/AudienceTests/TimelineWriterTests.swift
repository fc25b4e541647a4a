import Basics
import Foundation
import Synchronization
import Testing

@testable import Audience

/// The files that `baton relay --timeline` writes.
@Suite final class TimelineWriterTests {
    private final class Clock: Sendable {
        private let now: Mutex<Int64>
        init(_ milliseconds: Int64) { now = Mutex(milliseconds) }
        var milliseconds: Int64 {
            get { now.withLock { $0 } }
            set { now.withLock { $0 = newValue } }
        }
    }

    private struct Index: Decodable { var at: Int64, files: [Int64] }

    private let folder = NSTemporaryDirectory() + "timeline-\(UUID().uuidString)"
    private let clock = Clock(1_000_003_000)

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func writer() throws -> TimelineWriter {
        try TimelineWriter(folder: folder, clock: { [clock] in clock.milliseconds }, writeLogLine: { _ in })
    }

    private func index() throws -> Index {
        try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: URL(filePath: "\(folder)/index.json")))
    }

    private func text(_ number: Int) -> String? {
        try? String(contentsOfFile: "\(folder)/\(number).json", encoding: .utf8)
    }

    private func say(_ writer: TimelineWriter, _ section: String, _ json: String, at milliseconds: Int64) {
        clock.milliseconds = milliseconds
        writer.publish(section, Array(json.utf8))
    }

    private func write(_ writer: TimelineWriter, at milliseconds: Int64) {
        clock.milliseconds = milliseconds
        writer.write()
    }

    @Test func fileHasTheNewestOfBeforeAndWhatWasSaidWithItsTime() throws {
        let writer = try writer()
        say(writer, "source", #"{"isHeard":false}"#, at: 1_000_003_000)
        say(writer, "live", #"{"measure":"7"}"#, at: 1_000_004_500)
        write(writer, at: 1_000_009_000)
        #expect(try index().files == [], "a file that still grows is not there")
        say(writer, "live", #"{"measure":"8"}"#, at: 1_000_010_000)
        write(writer, at: 1_000_010_010)
        write(writer, at: 1_000_020_010)
        #expect(
            text(100_000) == """
                [[1000000000,"source",{"isHeard":false}],
                [1000004500,"live",{"measure":"7"}]]

                """)
        #expect(
            text(100_001) == """
                [[1000010000,"live",{"measure":"7"}],
                [1000010000,"source",{"isHeard":false}],
                [1000010000,"live",{"measure":"8"}]]

                """)
        #expect(try index().files == [100_000, 100_001])
        #expect(try index().at == 1_000_020_010)
    }

    @Test func whatCouldNotBeWrittenIsWrittenWhenTheDiskIsThereAgain() throws {
        let writer = try writer()
        say(writer, "live", #"{"measure":"7"}"#, at: 1_000_003_000)
        try FileManager.default.removeItem(atPath: folder)
        write(writer, at: 1_000_010_010)
        write(writer, at: 1_000_020_010)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        write(writer, at: 1_000_021_010)
        #expect(try index().files == [100_000, 100_001])
        #expect(text(100_000)?.contains("7") == true && text(100_001)?.contains("7") == true)
    }

    @Test func whatNobodyHeardHasNoFile() throws {
        let writer = try writer()
        say(writer, "source", "{}", at: 1_000_003_000)
        write(writer, at: 1_000_045_000)
        write(writer, at: 1_000_050_000)
        #expect(try index().files == [100_000, 100_004])
    }

    @Test func nextRelayGoesOnAndChangesNothing() throws {
        let first = try writer()
        say(first, "live", "1", at: 1_000_003_000)
        write(first, at: 1_000_010_500)
        let second = try writer()
        say(second, "live", "2", at: 1_000_011_000)
        write(second, at: 1_000_020_500)
        #expect(try index().files == [100_000, 100_001])
        #expect(try #require(text(100_000)).contains(#""live",1]"#))
        #expect(try #require(text(100_001)).contains(#"[1000010000,"live",2]"#))
    }

    @Test func indexNamesTheLastTwelveAndADayIsKept() throws {
        let writer = try writer()
        say(writer, "live", "1", at: 1_000_003_000)
        for number in 1...20 { write(writer, at: 1_000_000_000 + Int64(number) * 10_000) }
        #expect(try index().files == Array(100_008...100_019))
        write(writer, at: 1_000_000_000 + 24 * 3_600_000 + 50_000)
        #expect(text(100_004) == nil)
        #expect(text(100_005) != nil)
    }

    @Test func filesOfAWrongClockGo() throws {
        let ahead = try writer()
        say(ahead, "live", "1", at: 2_000_000_000)
        write(ahead, at: 2_000_010_000)
        clock.milliseconds = 1_000_003_000
        write(try writer(), at: 1_000_010_000)
        #expect(try index().files == [100_000])
        #expect(text(200_000) == nil)
    }

    @Test func folderThatCannotBeMadeIsNamed() throws {
        let error = #expect(throws: ExplainedError.self) {
            try TimelineWriter(folder: "/proc/none/timeline") { _ in }
        }
        #expect(error?.sentence.hasPrefix("--timeline: /proc/none") == true)
    }
}
