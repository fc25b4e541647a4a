import Following
import Foundation
import Platform

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
    package let readableLineOutput: TextOutput?
    package let statisticsOutput: TextOutput?
    private let pieceFolderNames: [String]
    private let pieceNames: [String]
    private let isJSON: Bool

    /// Creates a recorder that writes to the given outputs.
    /// - Parameters:
    ///   - pieceFolderNames: the names of the pieces' folders, as recorded with each report.
    ///   - pieceNames: the names of the pieces, as printed in lines for a person.
    package init(
        reportFiles: [ReportFile], readableLineOutput: TextOutput?, statisticsOutput: TextOutput?,
        isJSON: Bool,
        pieceFolderNames: [String],
        pieceNames: [String]
    ) {
        self.reportFiles = reportFiles
        self.readableLineOutput = readableLineOutput
        self.statisticsOutput = statisticsOutput
        self.isJSON = isJSON
        self.pieceFolderNames = pieceFolderNames
        self.pieceNames = pieceNames
    }

    package var textOutputs: [TextOutput] {
        reportFiles.map(\.output) + [readableLineOutput, statisticsOutput].compactMap(\.self)
    }

    /// Records new reports every 50 ms until told to stop, and then once more.
    package func recordReports(
        _ reports: ReportQueue, until stop: StopRequest, snapshot: () -> RunStatistics
    ) {
        var buffer = ReportTextBuffer(recorder: self)
        var statsDue = Self.statsInterval
        buffer.addHeaders()
        while true {
            let isLast = stop.isMade
            var count = 0
            // At most 1024 reports are formatted before they are written, so that the buffers stay small.
            while count < 1024, let report = reports.read() {
                buffer.addReport(report.concertReport)
                count += 1
            }
            buffer.flush(until: stop)
            if count == 1024 { continue }
            if let statisticsOutput, snapshot().elapsed >= statsDue || isLast {
                statsDue += Self.statsInterval
                statisticsOutput.write(snapshot().jsonLine, until: stop)
            }
            if isLast { return }
            usleep(50_000)
        }
    }

    private static let statsInterval = Duration.seconds(10)

    fileprivate func pieceFolderName(_ piece: Int) -> String { pieceFolderNames[piece] }
    fileprivate var newLineFormatter: ReportLineFormatter {
        ReportLineFormatter(pieceNames: pieceNames, isJSON: isJSON)
    }
}

/// Buffers formatted text, so that one system call writes many lines.
package struct ReportTextBuffer {
    private let recorder: ReportRecorder
    private var bufferedFileTexts: [String]
    private var lineFormatter: ReportLineFormatter
    private var bufferedLines = ""

    package init(recorder: ReportRecorder) {
        self.recorder = recorder
        bufferedFileTexts = Array(repeating: "", count: recorder.reportFiles.count)
        lineFormatter = recorder.newLineFormatter
    }

    /// Adds the header of each file.
    package mutating func addHeaders() {
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            bufferedFileTexts[index] += reportFile.format.header
        }
    }

    package mutating func addReport(_ said: ConcertReport) {
        let folder = recorder.pieceFolderName(said.pieceIndex)
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            bufferedFileTexts[index] += reportFile.format.formatReport(said.positionReport, piece: folder)
        }
        if recorder.readableLineOutput != nil { bufferedLines += lineFormatter.lines(for: said) }
    }

    /// Writes the buffered text and empties the buffers.
    package mutating func flush(until stop: StopRequest? = nil) {
        for (index, reportFile) in recorder.reportFiles.enumerated() {
            reportFile.output.write(bufferedFileTexts[index], until: stop)
            bufferedFileTexts[index].removeAll(keepingCapacity: true)
        }
        recorder.readableLineOutput?.write(bufferedLines, until: stop)
        bufferedLines.removeAll(keepingCapacity: true)
    }
}
