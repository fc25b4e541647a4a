import Following
import Foundation
import RealTime

/// Records a run on its own thread: the reports, lines for a person, and statistics.
package final class LiveScribe: Sendable {
    /// A file that records reports, and its format.
    package struct Ledger: Sendable {
        package var output: LiveOutput
        package var form: LiveRows

        package init(output: LiveOutput, form: LiveRows) {
            self.output = output
            self.form = form
        }
    }

    package let ledgers: [Ledger]
    /// The output for lines that a person reads; nil if they are not wanted.
    package let lines: LiveOutput?
    package let stats: LiveOutput?
    private let folders: [String]
    private let names: [String]
    private let isJSON: Bool

    /// - Parameters:
    ///   - folders: the names of the pieces' folders, as recorded with each report.
    ///   - names: the names of the pieces, as printed in lines for a person.
    package init(
        ledgers: [Ledger], lines: LiveOutput?, stats: LiveOutput?, isJSON: Bool, folders: [String],
        names: [String]
    ) {
        self.ledgers = ledgers
        self.lines = lines
        self.stats = stats
        self.isJSON = isJSON
        self.folders = folders
        self.names = names
    }

    package var outputs: [LiveOutput] { ledgers.map(\.output) + [lines, stats].compactMap(\.self) }

    /// Records new reports every 50 ms until told to stop, and then once more.
    package func run(
        _ reports: LiveReportRing, until stop: StopRequest, snapshot: () -> LiveSnapshot
    ) {
        var page = LivePage(scribe: self)
        var statsDue = Self.statsInterval
        page.open()
        while true {
            let isLast = stop.isMade
            var count = 0
            // At most 1024 reports are formatted before they are written, so that the buffers stay small.
            while count < 1024, let report = reports.read() {
                page.add(report.said)
                count += 1
            }
            page.turn(until: stop)
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
    fileprivate var newLines: LiveLines { LiveLines(names: names, isJSON: isJSON) }
}

/// Buffers formatted text, so that one system call writes many lines.
package struct LivePage {
    private let scribe: LiveScribe
    private var texts: [String]
    private var lines: LiveLines
    private var lineText = ""

    package init(scribe: LiveScribe) {
        self.scribe = scribe
        texts = Array(repeating: "", count: scribe.ledgers.count)
        lines = scribe.newLines
    }

    /// Adds the header of each file.
    package mutating func open() {
        for (index, ledger) in scribe.ledgers.enumerated() { texts[index] += ledger.form.header }
    }

    package mutating func add(_ said: ConcertReport) {
        let folder = scribe.folder(said.piece)
        for (index, ledger) in scribe.ledgers.enumerated() {
            texts[index] += ledger.form.line(said.report, piece: folder)
        }
        if scribe.lines != nil { lineText += lines.lines(for: said) }
    }

    /// Writes the buffered text and empties the buffers.
    package mutating func turn(until stop: StopRequest? = nil) {
        for (index, ledger) in scribe.ledgers.enumerated() {
            ledger.output.write(texts[index], until: stop)
            texts[index].removeAll(keepingCapacity: true)
        }
        scribe.lines?.write(lineText, until: stop)
        lineText.removeAll(keepingCapacity: true)
    }
}
