import Following
import Foundation
import RealTime

/// Writes down what is said: reports, lines for a person, and how the run fares. A thread of its own.
final class LiveScribe: Sendable {
    /// A file of rows and their form.
    struct Ledger: Sendable {
        var output: LiveOutput
        var form: LiveRows
    }

    let ledgers: [Ledger]
    /// Nil where nobody wants lines.
    let lines: LiveOutput?
    let stats: LiveOutput?
    private let folders: [String]
    private let names: [String]
    private let isJSON: Bool

    /// - Parameters:
    ///   - folders: names of the pieces' folders, as rows give them.
    ///   - names: of the pieces, as lines give them.
    init(
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

    var outputs: [LiveOutput] { ledgers.map(\.output) + [lines, stats].compactMap(\.self) }

    /// Every 50 ms takes what the follow lane has left; until told to stop, and then once more.
    func run(
        _ reports: LiveReportRing, until stop: StopRequest, snapshot: () -> LiveSnapshot
    ) {
        var page = LivePage(scribe: self)
        var statsDue = Self.statsInterval
        page.open()
        while true {
            let isLast = stop.isMade
            var count = 0
            // By pages of bounded size, whatever has gathered.
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

/// What is written next, gathered so that a system call serves many rows.
struct LivePage {
    private let scribe: LiveScribe
    private var texts: [String]
    private var lines: LiveLines
    private var lineText = ""

    init(scribe: LiveScribe) {
        self.scribe = scribe
        texts = Array(repeating: "", count: scribe.ledgers.count)
        lines = scribe.newLines
    }

    /// The headers.
    mutating func open() {
        for (index, ledger) in scribe.ledgers.enumerated() { texts[index] += ledger.form.header }
    }

    mutating func add(_ said: ConcertReport) {
        let folder = scribe.folder(said.piece)
        for (index, ledger) in scribe.ledgers.enumerated() {
            texts[index] += ledger.form.line(said.report, piece: folder)
        }
        if scribe.lines != nil { lineText += lines.lines(for: said) }
    }

    /// Writes all and begins anew.
    mutating func turn(until stop: StopRequest? = nil) {
        for (index, ledger) in scribe.ledgers.enumerated() {
            ledger.output.write(texts[index], until: stop)
            texts[index].removeAll(keepingCapacity: true)
        }
        scribe.lines?.write(lineText, until: stop)
        lineText.removeAll(keepingCapacity: true)
    }
}
