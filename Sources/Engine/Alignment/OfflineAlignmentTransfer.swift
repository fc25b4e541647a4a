/// Why an instant that was carried over to another recording should be heard by a person.
public struct TransferDoubt: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Other instants fit nearly as well.
    public static let ambiguous = TransferDoubt(rawValue: 1 << 0)
    /// The recordings do not sound alike here: another version, a wrong note, noise.
    public static let unlike = TransferDoubt(rawValue: 1 << 1)
    /// A measure beside it would be played at a third or three times the tempo: a cut, a repeat, a long hold.
    public static let improbableTempo = TransferDoubt(rawValue: 1 << 2)
    /// The path gave no later instant than for the onset before; it was moved behind that one.
    public static let moved = TransferDoubt(rawValue: 1 << 3)
    /// The instant lies outside the recording it was given for.
    public static let outside = TransferDoubt(rawValue: 1 << 4)
}

/// An instant of the first recording and what belongs to it in the second.
public struct TransferredInstant: Sendable, Hashable {
    /// In seconds of the second recording.
    public var seconds: Double
    /// How far other instants that fit nearly as well lie away, in seconds (root mean square).
    public var spreadSeconds: Double
    /// Local cost nearby, in typical ones of this pair of recordings.
    public var unlikeness: Double
    public var doubt: TransferDoubt

    public var isDoubtful: Bool { !doubt.isEmpty }
}

/// Carries measure onsets from one recording over to another along a warping path.
public enum MeasureTransfer {
    /// A larger spread is a doubt.
    public static let doubtfulSpreadSeconds = 0.15
    /// Local costs so many times the typical are a doubt.
    public static let doubtfulUnlikeness = 1.6
    /// A measure so many times longer or shorter than the recordings' lengths suggest is a doubt.
    public static let doubtfulTempoRatio = 3.0
    /// A note is clearest in the frames this much later: the windows end with the frame, and a note sounds most
    /// in them when it has reached their middle.
    static let onsetLagSeconds = 0.06

    /// - Parameters:
    ///   - onsets: measure onsets in seconds of the first recording, strictly rising.
    ///   - end: where the last measure ends, behind the last onset.
    ///   - path: from both recordings' first frames to their last ones.
    ///   - framesPerSecond: of both recordings.
    /// - Returns: an instant for each onset and a last one for the end, strictly rising, a frame apart at least;
    ///   beyond the second recording's end only where there are more of them than frames left.
    /// - Complexity: that of two alignments within a band, O((n + m) × reach × dimensions).
    public static func transfer(
        onsets: [Double], end: Double, along path: WarpingPath, from first: ReferenceFrames,
        to second: ReferenceFrames, framesPerSecond: Int = 50
    ) -> [TransferredInstant] {
        let instants = onsets + [end]
        precondition(instants.allSatisfy(\.isFinite), "onsets and end are numbers")
        precondition(zip(instants, instants.dropFirst()).allSatisfy(<), "onsets and end are strictly rising")
        let rate = Double(framesPerSecond)
        // What sounds now is the end of a frame: frame 0 ends one frame after the recording's start.
        let frames = instants.map { ($0 + onsetLagSeconds) * rate - 1 }
        let findings = AlignmentCheck(of: path, from: first, to: second).findings(atFirst: frames)
        let duration = Double(second.frameCount) / rate
        var transferred = zip(frames, findings).map { frame, finding in
            let seconds = (path.second(forFirst: frame) + 1) / rate - onsetLagSeconds
            return TransferredInstant(
                seconds: min(max(seconds, 0), duration), spreadSeconds: finding.spreadFrames / rate,
                unlikeness: finding.unlikeness, doubt: doubt(finding, rate))
        }
        let length = Double(first.frameCount) / rate
        // The samples after the last whole frame belong to the recording too.
        for (index, instant) in instants.enumerated() where instant < 0 || instant > length + 1 / rate {
            transferred[index].doubt.insert(.outside)
        }
        markImprobableTempi(&transferred, instants, ratio: duration / length)
        separate(&transferred, seconds: 1 / rate)
        return transferred
    }

    private static func doubt(_ finding: AlignmentCheck.Finding, _ rate: Double) -> TransferDoubt {
        var doubt: TransferDoubt = []
        if finding.spreadFrames / rate > doubtfulSpreadSeconds { doubt.insert(.ambiguous) }
        if finding.unlikeness > doubtfulUnlikeness { doubt.insert(.unlike) }
        return doubt
    }

    /// Doubts both ends of every measure that became far longer or shorter than the recordings' lengths suggest.
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

    /// Moves every instant that is not behind the one before it.
    private static func separate(_ transferred: inout [TransferredInstant], seconds: Double) {
        for index in transferred.indices.dropFirst() {
            let earliest = transferred[index - 1].seconds + seconds
            if transferred[index].seconds < earliest {
                transferred[index].seconds = earliest
                transferred[index].doubt.insert(.moved)
            }
        }
    }
}
