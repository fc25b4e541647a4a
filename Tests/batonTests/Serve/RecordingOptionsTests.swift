import ArgumentParser
import Testing

@testable import Composition
@testable import Recordings
@testable import baton

/// The sound of a device is recorded unless somebody says otherwise; a file only if somebody asks for it.
@Suite struct RecordingOptionsTests {
    private func options(_ words: String...) throws -> RecordingOptions { try RecordingOptions.parse(words) }

    @Test func aDeviceIsRecordedAndAFileIsNot() throws {
        #expect(try options().settings(isDevice: true).offSentence == nil)
        let file = try #require(try options().settings(isDevice: false).offSentence)
        #expect(file.contains("comes from a file") && file.contains("--record"))
    }

    @Test func theOperatorDecidesOtherwise() throws {
        #expect(try options("--record").settings(isDevice: false).offSentence == nil)
        let off = try #require(try options("--no-record").settings(isDevice: true).offSentence)
        #expect(off.contains("--no-record"))
    }

    @Test func recordingsAreKeptForThirtyDaysUnlessTheOperatorSaysSo() throws {
        #expect(try options().keepRecordings == .days(30))
        #expect(try options("--keep-recordings", "7").keepRecordings == .days(7))
        #expect(try options("--keep-recordings", "forever").keepRecordings == .forever)
        for wrong in ["0", "-1", "soon", "40000"] {
            #expect(throws: (any Error).self) { try options("--keep-recordings=\(wrong)") }
        }
    }
}
