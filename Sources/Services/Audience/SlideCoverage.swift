import Concert
import Content
import Hosting
import Podium
import Synchronization

/// Checks that tonight's slides cover every measure that the follower can report.
///
/// At a measure that the content does not have, listeners keep seeing the previous slide; in a piece without content
/// they see none. The technician would notice neither fault at the console.
enum SlideCoverage {
    /// Finds the measures of a piece that its content lacks.
    /// - Returns: a sentence for the technician; nil if none is missing, or if no content is served.
    /// - Complexity: O(measures).
    static func describeUncoveredMeasures(_ piece: ShowPiece, in served: PublishedConcert?) -> String? {
        guard let served else { return nil }
        guard let index = served.pieceIndex(named: piece.name) else {
            return
                "Tonight's content has no piece “\(piece.name)”, so listeners see no slides while it is played; "
                + "add it under /edit, with exactly this name."
        }
        let known = Set(served.catalogueConcert.concert.pieces[index].measures.map(\.printed))
        guard !known.isEmpty else {
            return "The content of “\(piece.name)” has no bars, so no slide changes while it is played; "
                + "give the piece its bars under /edit."
        }
        let missing = Set(piece.measures.marks.map(\.printed)).subtracting(known).sorted()
        guard !missing.isEmpty else { return nil }
        return
            "The content of “\(piece.name)” has no \(measureRangesText(missing)), which the follower may report; "
            + "listeners keep "
            + "the slide before. Make model and content from the same score, or correct the bars under /edit."
    }

    /// Returns the findings for all pieces in programme order; a piece that is played twice is reported once.
    static func describeUncoveredMeasuresOfProgramme(_ course: ShowProgramme, in served: PublishedConcert?)
        -> [String]
    {
        var found: [String] = []
        for piece in course.pieces {
            if let sentence = describeUncoveredMeasures(piece, in: served), !found.contains(sentence) {
                found.append(sentence)
            }
        }
        return found
    }

    /// Writes measure numbers as text, such as `bar 57` or `bars 57 to 60, 88`. At most five ranges are written.
    static func measureRangesText(_ bars: [Int]) -> String {
        var stretches: [ClosedRange<Int>] = []
        for bar in bars {
            if let last = stretches.last, last.upperBound + 1 == bar {
                stretches[stretches.count - 1] = last.lowerBound...bar
            } else {
                stretches.append(bar...bar)
            }
        }
        let named = stretches.prefix(5).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        let rest = stretches.count > 5 ? " and others" : ""
        return (bars.count == 1 ? "bar " : "bars ") + named.joined(separator: ", ") + rest
    }
}

extension SlideCoverage {
    /// The pre-show check whether the slides cover every measure of tonight's pieces.
    static func makePreShowCheckItem(about served: @escaping @Sendable () -> PublishedConcert?)
        -> PreShowCheckItem
    {
        PreShowCheckItem(id: "content", title: "Slides") { checkCoverage(on: $0, in: served()) }
    }

    static func checkCoverage(on course: ShowProgramme, in served: PublishedConcert?) -> PreShowCheckVerdict {
        guard let served else {
            return PreShowCheckVerdict(.skipped, "No content is served; listeners see no slides.")
        }
        let findings = describeUncoveredMeasuresOfProgramme(course, in: served)
        guard findings.isEmpty else { return PreShowCheckVerdict(.warn, findings.joined(separator: " ")) }
        return PreShowCheckVerdict(.pass, "The slides know every bar of all \(course.pieces.count) pieces.")
    }

    /// The fault that is open while the slides do not fit the piece being played.
    static func makeWatchedFault(of served: @escaping @Sendable () -> PublishedConcert?) -> WatchedFault {
        let watch = SlideCoverageCache()
        return WatchedFault(id: "content") { watch.findFault($0, served()) }
    }
}

/// Keeps the finding about the piece being played, and looks again only when the piece or the content changes.
final class SlideCoverageCache: Sendable {
    private struct CachedFinding {
        var revision: String
        var piece: ShowPiece
        var missingMeasuresSentence: String?
    }

    private let lastFinding = Mutex<CachedFinding?>(nil)

    /// Looks for measures of the piece being played that its slides do not cover.
    /// - Returns: a sentence that says what is wrong; nil if nothing is wrong or nothing is live.
    func findFault(_ snapshot: ShowEngineSnapshot, _ served: PublishedConcert?) -> String? {
        guard snapshot.state.shown != nil else { return nil }
        return lastFinding.withLock { last in
            // Called four times a second, so the comparison runs again only if the content or the piece has changed.
            if last?.revision != served?.revision || last?.piece != snapshot.piece {
                last = served.map { served in
                    CachedFinding(
                        revision: served.revision, piece: snapshot.piece,
                        missingMeasuresSentence: SlideCoverage.describeUncoveredMeasures(
                            snapshot.piece, in: served))
                }
            }
            return last?.missingMeasuresSentence
        }
    }
}
