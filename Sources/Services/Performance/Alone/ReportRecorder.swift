import Following
import Foundation
import RealTime

/// Records a run on its own thread: the reports, lines for a person to read, and statistics.
package final class ReportRecorder: Sendable {
    /// A file that records reports, and its format.
    package struct ReportFile: Sendable {
        package var output: TextOutput
        package var format: ReportFileFormat

        package init(output: TextOutput, format: ReportFileFormat) {
            self.output = output
            self.format = format
        }
    }

    package let reportFiles: [ReportFile]
    /// The output for lines that a person reads; nil if they are not wanted.
    package let lineOutput: TextOutput?
    package let stats: TextOutput?
    private let folders: [String]
    private let names: [String]
    private let isJSON: Bool

    /// Creates a recorder that writes to the given outputs.
    /// - Parameters:
    ///   - folders: the names of the pieces' folders, as recorded with each report.
    ///   - names: the names of the pieces, as printed in lines for a person.
    package init(
        reportFiles: [ReportFile], lineOutput: TextOutput?, stats: TextOutput?, isJSON: Bool,
        folders: [String],
        names: [String]
    ) {
        self.reportFiles = reportFiles
        self.lineOutput = lineOutput
        self.stats = stats
        self.isJSON = isJSON
        self.folders = folders
        self.names = names
    }

    package var outputs: [TextOutput] { reportFiles.map(\.output) + [lineOutput, stats].compactMap(\.self) }

    /// Records new reports every 50 ms until told to stop, and then once more.
    package func run(
        _ reports: ReportQueue, until stop: StopRequest, snapshot: () -> RunStatistics
    ) {
        var buffer = ReportBuffer(recorder: self)
        var statsDue = Self.statsInterval
        buffer.addHeaders()
        while true {
            let isLast = stop.isMade
            var count = 0
            // At most 1024 reports are formatted before they are written, so that the buffers stay small.
            while count < 1024, let report = reports.read() {
                buffer.add(report.concertReport)
                count += 1
            }
            buffer.flush(until: stop)
            if count == 1024 { continue }
            if let stats, snapshot().elapsed >= statsDue || isLast {
                statsDue += Self.statsInterval
                stats.write(snapshot().statsLine, until: stop)
            }
            if isLast { return }
            usleep(50_000)
        }
    }

    private static let statsInterval = Duration.seconds(10)

    fileprivate func folder(_ piece: Int) -> String { folders[piece] }
    fileprivate var newLineFormatter: ReportLineFormatter {
        ReportLineFormatter(names: names, isJSON: isJSON)
    }
}

/// Buffers formatted text, so that one system call writes many lines.
package struct ReportBuffer {
    private let recorder: ReportRecorder
    private var texts: [String]
    private var lineFormatter: ReportLineFormatter
    private var bufferedLines = ""

    package init(recorder: ReportRecorder) {
        self.recorder = recorder
        texts = Array(repeating: "", count: recorder.reportFiles.count)
        lineFormatter = recorder.newLineFormatter
    }

    /// Adds the header of each file.
    package mutating func addHeaders() {
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            texts[index] += reportFile.format.header
        }
    }

    package mutating func add(_ said: ConcertReport) {
        let folder = recorder.folder(said.piece)
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            texts[index] += reportFile.format.line(said.report, piece: folder)
        }
        if recorder.lineOutput != nil { bufferedLines += lineFormatter.lines(for: said) }
    }

    /// Writes the buffered text and empties the buffers.
    package mutating func flush(until stop: StopRequest? = nil) {
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            reportFile.output.write(texts[index], until: stop)
            texts[index].removeAll(keepingCapacity: true)
        }
        recorder.lineOutput?.write(bufferedLines, until: stop)
        bufferedLines.removeAll(keepingCapacity: true)
    }
}
