import Basics

/// The reasons why two recordings were not aligned.
public enum OfflineAlignmentError: Explained, Equatable, Sendable {
    /// The recording that an error is about.
    public enum AlignedRecording: String, Sendable {
        case first, second
    }

    /// The recording has not a single frame.
    case recordingEmpty(AlignedRecording)
    /// The recording has more frames than an alignment has memory for.
    case recordingTooLong(AlignedRecording, frames: Int, limit: Int)
    /// The frames of the two recordings have different numbers of values, so they were made in different ways.
    case differentDimensions(first: Int, second: Int)
    /// The caller's `progress` returned false to cancel the alignment.
    case cancelled

    public var sentence: String {
        switch self {
        case .recordingEmpty(let side):
            "The \(side.rawValue) recording holds no music to align: it is shorter than one frame."
        case .recordingTooLong(let side, let frames, let limit):
            "The \(side.rawValue) recording has \(frames) frames, but at most \(limit) can be aligned: "
                + "cut it into movements."
        case .differentDimensions(let first, let second):
            "The recordings' frames have \(first) and \(second) values: prepare both with the same version."
        case .cancelled:
            "The alignment was cancelled."
        }
    }
}
