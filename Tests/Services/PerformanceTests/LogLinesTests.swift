import BackupLink
import Testing

@testable import Performance

@Suite struct LogLinesTests {
    /// A backup asks for all lines: it must not name one that its own start has written.
    @Test func linesOfTheStartDoNotCount() {
        let lines = LogForwarder()
        lines.forwardLine(1, [1])
        #expect(lines.newestLine == nil)
        lines.startForwarding(after: nil)
        lines.forwardLine(2, [2])
        #expect(lines.newestLine?.sequence == 2)
        lines.recordCopiedLine(nil)
        #expect(lines.newestLine == nil)
    }

    /// A backup that was started again names what it has, and gets only what came since.
    @Test func aShowThatGoesOnNamesItsLastLine() {
        let lines = LogForwarder()
        lines.startForwarding(after: .init(sequence: 7, bytes: [7]))
        #expect(lines.newestLine?.sequence == 7)
    }
}
