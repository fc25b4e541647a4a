/// The reasons why a person should check a measure onset by ear after it was transferred to another recording.
public struct MeasureTransferDoubt: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Other instants fit nearly as well.
    public static let ambiguous = MeasureTransferDoubt(rawValue: 1 << 0)
    /// The recordings do not sound alike here: another version, a wrong note, noise.
    public static let recordingsDiffer = MeasureTransferDoubt(rawValue: 1 << 1)
    /// A neighbouring measure would be played at a third of the tempo or three times as fast: a cut, a repeat or a long
    /// hold.
    public static let improbableTempo = MeasureTransferDoubt(rawValue: 1 << 2)
    /// The path gave an instant that is not after the previous onset, so this onset was moved to just after it.
    public static let movedToKeepOrder = MeasureTransferDoubt(rawValue: 1 << 3)
    /// The instant lies outside the first recording, from which it was to be transferred.
    public static let outsideRecording = MeasureTransferDoubt(rawValue: 1 << 4)
}

/// The result of transferring an instant of the first recording to the second one.
public struct TransferredInstant: Sendable, Hashable {
    /// The matching instant, in seconds of the second recording.
    public var seconds: Double
    /// The root mean square distance, in seconds, of other instants that fit nearly as well.
    public var spreadSeconds: Double
    /// The local cost near the instant, as a multiple of the typical local cost of the two recordings; 1 is typical.
    public var unlikeness: Double
    public var doubt: MeasureTransferDoubt

    public var isDoubtful: Bool { !doubt.isEmpty }
}

/// Transfers measure onsets from one recording to another along a warping path.
public enum MeasureTransfer {
    /// The spread in seconds above which a transferred instant is doubtful.
    public static let doubtfulSpreadSeconds = 0.15
    /// The multiple of the typical local cost above which a transferred instant is doubtful.
    public static let doubtfulUnlikeness = 1.6
    /// A measure is doubtful if it is this many times longer or shorter than the lengths of the two recordings suggest.
    public static let doubtfulTempoRatio = 3.0
    /// The delay in seconds after which a note is clearest in the frames. A window ends with its frame, and a note is
    /// strongest in the window when it has reached the middle.
    static let onsetLagSeconds = 0.06

    /// Transfers onsets and estimates how reliable each result is.
    /// - Parameters:
    ///   - onsets: measure onsets in seconds of the first recording, strictly rising.
    ///   - end: the end of the last measure in seconds of the first recording; after the last onset.
    ///   - path: a path from both recordings' first frames to their last ones.
    ///   - framesPerSecond: the frame rate of both recordings.
    /// - Returns: an instant for each onset and one for the end, strictly rising, at least one frame apart. They lie
    ///   beyond the second recording's end only if it has fewer frames left than instants.
    /// - Complexity: that of two alignments within a band, O((n + m) × reach × dimensions).
    public static func transferOnsets(
        onsets: [Double], end: Double, along path: WarpingPath, from first: ReferenceFeatureFrames,
        to second: ReferenceFeatureFrames, framesPerSecond: Int = 50
    ) -> [TransferredInstant] {
        let instants = onsets + [end]
        precondition(instants.allSatisfy { $0.isFinite }, "onsets and end are numbers")
        precondition(zip(instants, instants.dropFirst()).allSatisfy(<), "onsets and end are strictly rising")
        let rate = Double(framesPerSecond)
        // An instant corresponds to the end of a frame: frame 0 ends one frame after the start of the recording.
        let frames = instants.map { ($0 + onsetLagSeconds) * rate - 1 }
        let findings = RecordingAlignmentCertainty(of: path, from: first, to: second).certaintyOfFrames(
            atFirst: frames)
        let duration = Double(second.frameCount) / rate
        var transferred = zip(frames, findings).map { frame, finding in
            let seconds = (path.secondFrame(forFirst: frame) + 1) / rate - onsetLagSeconds
            return TransferredInstant(
                seconds: min(max(seconds, 0), duration), spreadSeconds: finding.spreadFrames / rate,
                unlikeness: finding.unlikeness, doubt: makeDoubt(finding, rate))
        }
        let length = Double(first.frameCount) / rate
        // The samples after the last whole frame belong to the recording too.
        for (index, instant) in instants.enumerated() where instant < 0 || instant > length + 1 / rate {
            transferred[index].doubt.insert(.outsideRecording)
        }
        markImprobableTempi(&transferred, instants, ratio: duration / length)
        enforceRisingOrder(&transferred, seconds: 1 / rate)
        return transferred
    }

    private static func makeDoubt(_ finding: RecordingAlignmentCertainty.FrameCertainty, _ rate: Double)
        -> MeasureTransferDoubt
    {
        var doubt: MeasureTransferDoubt = []
        if finding.spreadFrames / rate > doubtfulSpreadSeconds { doubt.insert(.ambiguous) }
        if finding.unlikeness > doubtfulUnlikeness { doubt.insert(.recordingsDiffer) }
        return doubt
    }

    /// Marks both ends of every measure that became far longer or shorter than the lengths of the two recordings
    /// suggest.
    private static func markImprobableTempi(
        _ transferred: inout [TransferredInstant], _ instants: [Double], ratio: Double
    ) {
        for after in instants.indices.dropFirst() {
            let expected = (instants[after] - instants[after - 1]) * ratio
            let actual = transferred[after].seconds - transferred[after - 1].seconds
            if actual * doubtfulTempoRatio < expected || actual > expected * doubtfulTempoRatio {
                transferred[after - 1].doubt.insert(.improbableTempo)
                transferred[after].doubt.insert(.improbableTempo)
            }
        }
    }

    /// Moves every instant that is not after the previous one to just after it.
    private static func enforceRisingOrder(_ transferred: inout [TransferredInstant], seconds: Double) {
        for index in transferred.indices.dropFirst() {
            let earliest = transferred[index - 1].seconds + seconds
            if transferred[index].seconds < earliest {
                transferred[index].seconds = earliest
                transferred[index].doubt.insert(.movedToKeepOrder)
            }
        }
    }
}
