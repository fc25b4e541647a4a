import Foundation
import ShowLog

/// What is left of a show when it is over.
extension ServeRun {
    /// A show whose last piece was played to its end is over; any other goes on with the next start.
    func finish() {
        let picture = desk.inbox.newestPicture
        guard picture.isOurs else { return }
        let isOver = picture.state.mode == .finished && picture.state.piece == picture.course.pieces.count - 1
        if isOver { _ = show.scribe.finish(at: show.clock.now) } else { _ = show.scribe.writer.sync() }
        guard let report = try? ShowReport(show: desk.logFolder) else { return }
        let path = desk.logFolder + "/report.json"
        try? Data(report.json).write(to: URL(fileURLWithPath: path), options: .atomic)
        say("The show log and its report are in \(desk.logFolder)\n")
    }

    static func report(_ show: String, truth: String?) async -> [UInt8]? {
        await Task.detached(priority: .utility) {
            guard var report = try? ShowReport(show: show) else { return nil }
            if let truth, let rows = try? ShowTruth(file: truth) { report.judge(piece: 0, by: rows) }
            return report.json
        }.value
    }
}
