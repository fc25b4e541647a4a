/// Finds the onsets of a route's measures at the full frame rate.
struct OfflineScoreRefinement {
    /// The length of the parts that are aligned one by one, in seconds of the recording.
    private static let partSeconds = 150.0
    /// The seconds of music before and after a part that are aligned with it, because the ends of an alignment are
    /// given and not found.
    private static let marginSeconds = 8.0
    /// The seconds of sound before the first note and after the last one.
    private static let edgeSeconds = 0.5
    /// A longer pause between two passages holds something else than the music.
    private static let longestPause = 1.5

    let score: ReferenceFeatureFrames
    let measures: UnfoldedScoreMeasures
    let recording: ReferenceFeatureFrames
    let framesPerSecond: Int
    /// The seconds of the score that pass in a second of the recording.
    var tempo = 1.0

    /// A measure of the route with its rough place in the recording.
    private struct RoughMeasure {
        var played: Int
        var onset: Double
        var end: Double
        var isAfterLeap: Bool
        /// True if silence precedes the measure, which resembles nothing.
        var isAfterSilence: Bool
    }

    /// - Returns: the measures with their onsets, and the end of the last one.
    func refine(
        _ route: OfflineScoreRoute, progress: (Double) -> Bool
    ) throws(OfflineAlignmentError) -> ([OfflineScoreAlignment.Measure], end: Double) {
        var found: [OfflineScoreAlignment.Measure] = []
        var end = 0.0
        let stretches = stretchesWithoutPause(route)
        let count = stretches.reduce(0) { $0 + $1.count }
        for stretch in stretches {
            var first = 0
            while first < stretch.count {
                guard progress(Double(found.count) / Double(max(count, 1))) else { throw .cancelled }
                let part = first..<endOfPart(from: first, in: stretch)
                let instants = try align(part, of: stretch)
                for (rough, instant) in zip(stretch[part], instants) {
                    found.append(measure(rough, instant))
                }
                end = instants[part.count].seconds
                first = part.upperBound
            }
        }
        return keepRising(found, end: end)
    }

    /// Divides the route where the recording holds something else than the music for some time.
    private func stretchesWithoutPause(_ route: OfflineScoreRoute) -> [[RoughMeasure]] {
        var stretches: [[RoughMeasure]] = []
        for (index, passage) in route.passages.enumerated() {
            var rough: [RoughMeasure] = []
            for (offset, played) in passage.measures.enumerated() {
                let isLast = offset + 1 == passage.measures.count
                rough.append(
                    RoughMeasure(
                        played: played, onset: passage.onsets[offset],
                        end: isLast ? passage.end : passage.onsets[offset + 1],
                        isAfterLeap: index > 0 && offset == 0,
                        isAfterSilence: index == 0 && offset == 0))
            }
            if let end = stretches.last?.last?.end, passage.onsets[0] - end < Self.longestPause {
                stretches[stretches.count - 1] += rough
            } else {
                stretches.append(rough)
            }
        }
        return stretches
    }

    private func endOfPart(from first: Int, in stretch: [RoughMeasure]) -> Int {
        let limit = stretch[first].onset + Self.partSeconds
        let end = stretch[first...].firstIndex { $0.onset > limit } ?? stretch.count
        // A short rest joins the last part.
        return stretch[stretch.count - 1].end - limit < Self.partSeconds / 3
            ? stretch.count : max(end, first + 1)
    }

    /// Aligns some measures of a stretch together with a margin on either side.
    /// - Returns: an instant for each measure and one for the end of the last, in seconds of the recording.
    private func align(
        _ part: Range<Int>, of stretch: [RoughMeasure]
    ) throws(OfflineAlignmentError) -> [TransferredInstant] {
        let rate = Double(framesPerSecond)
        let first = stretch[..<part.lowerBound].lastIndex {
            $0.onset < stretch[part.lowerBound].onset - Self.marginSeconds
        }
        let last = stretch[part.upperBound...].firstIndex {
            $0.onset > stretch[part.upperBound - 1].end + Self.marginSeconds
        }
        let whole = (first ?? 0)..<(last ?? stretch.count)
        let leadsIn = whole.lowerBound == 0 && stretch[0].played == 0
        let endsPiece =
            whole.upperBound == stretch.count && stretch[stretch.count - 1].played == measures.count - 1
        let lead = leadsIn ? Int(Self.edgeSeconds * rate) : 0
        let tail = endsPiece ? Int(Self.edgeSeconds * rate) : 0

        // Neighbours in the score make one range, so that roundings do not add up.
        var ranges: [Range<Int>] = []
        var onsets: [Double] = []
        var length = 0
        for index in whole {
            let played = stretch[index].played
            let start = frame(measures.onsets[played])
            let stop = frame(measures.end(of: played))
            if index > whole.lowerBound, stretch[index - 1].played + 1 == played {
                ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<stop
            } else {
                let from = max(start - (index == whole.lowerBound ? lead : 0), 0)
                length += start - from
                ranges.append(from..<stop)
            }
            onsets.append(Double(length) / rate + measures.onsets[played] - Double(start) / rate)
            length += stop - start
        }
        ranges[ranges.count - 1] =
            ranges[ranges.count - 1].lowerBound..<ranges[ranges.count - 1].upperBound + tail
        let joined = score.joined(ranges)
        let from = max(Int((stretch[whole.lowerBound].onset - (leadsIn ? Self.edgeSeconds : 0)) * rate), 0)
        let to = min(
            Int((stretch[whole.upperBound - 1].end + (endsPiece ? Self.edgeSeconds : 0)) * rate),
            recording.frameCount)
        let sound = recording.joined([from..<max(to, from + 1)])
        let path = try OfflineRecordingAlignment.align(joined, sound)
        var instants = MeasureTransfer.transferOnsets(
            onsets: onsets, end: Double(length) / rate, along: path, from: joined, to: sound,
            framesPerSecond: framesPerSecond)
        for index in instants.indices { instants[index].seconds += Double(from) / rate }
        return Array(instants[(part.lowerBound - whole.lowerBound)...(part.upperBound - whole.lowerBound)])
    }

    private func frame(_ seconds: Double) -> Int { Int((seconds * Double(framesPerSecond)).rounded()) }

    private func measure(_ rough: RoughMeasure, _ instant: TransferredInstant)
        -> OfflineScoreAlignment.Measure
    {
        var reasons = instant.doubt
        if rough.isAfterSilence { reasons.remove(.recordingsDiffer) }
        if rough.isAfterLeap { reasons.insert(.afterLeap) }
        let unlikeness =
            rough.isAfterSilence
            ? 0 : (instant.unlikeness - 1) / (2 * (MeasureTransfer.doubtfulUnlikeness - 1))
        // Whoever plays slowly leaves more time around each bar line: the spread counts in the time of the score.
        let spread = instant.spreadSeconds * min(tempo, 1)
        var doubt = max(
            min(spread / (2 * MeasureTransfer.doubtfulSpreadSeconds), 1),
            min(max(unlikeness, 0), 1))
        if reasons.contains(.improbableTempo) || rough.isAfterLeap {
            doubt = max(doubt, OfflineScoreAlignment.doubtfulFrom)
        }
        if reasons.contains(.movedToKeepOrder) || reasons.contains(.outsideRecording) { doubt = 1 }
        return OfflineScoreAlignment.Measure(
            played: rough.played, seconds: instant.seconds, doubt: doubt, reasons: reasons)
    }

    /// Moves onsets that are not at least a frame after the one before; parts that were aligned one by one may overlap.
    private func keepRising(
        _ measures: [OfflineScoreAlignment.Measure], end: Double
    ) -> ([OfflineScoreAlignment.Measure], end: Double) {
        var risen = measures
        let least = 1 / Double(framesPerSecond)
        for index in risen.indices.dropFirst() where risen[index].seconds < risen[index - 1].seconds + least {
            risen[index].seconds = risen[index - 1].seconds + least
            risen[index].reasons.insert(.movedToKeepOrder)
            risen[index].doubt = 1
        }
        return (risen, max(end, (risen.last?.seconds ?? 0) + least))
    }
}
