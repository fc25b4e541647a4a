import BackupLink
import Testing

@testable import Performance

@Suite struct LogLinesTests {
    /// A backup asks for all lines: it must not name one that its own start has written.
    @Test func linesOfTheStartDoNotCount() {
        let lines = LogLines()
        lines.offer(1, [1])
        #expect(lines.last == nil)
        lines.begin(after: nil)
        lines.offer(2, [2])
        #expect(lines.last?.sequence == 2)
        lines.note(nil)
        #expect(lines.last == nil)
    }

    /// A backup that was started again names what it has, and gets only what came since.
    @Test func aShowThatGoesOnNamesItsLastLine() {
        let lines = LogLines()
        lines.begin(after: .init(sequence: 7, bytes: [7]))
        #expect(lines.last?.sequence == 7)
    }
}
