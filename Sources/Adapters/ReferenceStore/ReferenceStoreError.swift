import Basics

/// The reason why a model could not be read or written.
public enum ReferenceStoreError: Explained, Equatable, Sendable {
    case invalidName(String)
    /// There is no model of this name. `known` lists the pieces that have a model.
    case noSuchPiece(String, folder: String, known: [String])
    case unreadable(path: String, reason: String)
    case notWritten(path: String, reason: String)
    case fileTooLarge(path: String, limitBytes: Int)
    /// The file is not a model. `reason` is the second half of the error's sentence.
    case notAModel(path: String, reason: String)
    case otherFormatVersion(path: String, found: Int, known: Int)
    /// The model was made with feature parameters that differ from this program's.
    case otherFeatureParameters(piece: String)
    case framesInvalid(path: String, fault: ExplainedError)
    /// Two files of one model contradict each other.
    case inconsistent(path: String, reason: String)
    /// The recording is longer than the limit for reference recordings.
    case referenceTooLong(reference: String, seconds: Double, limitSeconds: Double)
    /// The model on the disk is another one than that which was to be replaced.
    case changedMeanwhile(piece: String)

    public var sentence: String {
        switch self {
        case .invalidName(let name):
            "“\(Self.excerpt(name))” cannot be the name of a folder of models; use letters, digits and dashes, as in "
                + "bach-prelude-in-c."
        case .noSuchPiece(let piece, let folder, let known):
            "There is no model “\(Self.excerpt(piece))” in \(folder); "
                + (known.isEmpty
                    ? "make one with baton prepare."
                    : "there are \(known.prefix(12).joined(separator: ", "))"
                        + (known.count > 12 ? " and \(known.count - 12) more." : "."))
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .notWritten(let path, let reason):
            "\(path) could not be written: \(reason). Check the folder, its permissions and the free space."
        case .fileTooLarge(let path, let limitBytes):
            "\(path) is larger than \(limitBytes >> 20) MB, the most it may be; run baton prepare again."
        case .notAModel(let path, let reason):
            "\(path) is not a Baton model: \(reason). Run baton prepare again."
        case .otherFormatVersion(let path, let found, let known):
            "\(path) has version \(found) of the format, and this program knows version \(known): "
                + "run baton prepare again."
        case .otherFeatureParameters(let piece):
            "The model “\(piece)” was made with other parameters than this program uses: "
                + "run baton prepare again."
        case .framesInvalid(let path, let fault):
            "\(path) cannot be used: \(fault.sentence). Run baton prepare again."
        case .inconsistent(let path, let reason):
            "\(path) does not belong to its model: \(reason). Run baton prepare again."
        case .referenceTooLong(let reference, let seconds, let limitSeconds):
            "“\(reference)” lasts \(Int((min(seconds, 1e9) / 60).rounded(.up))) minutes; a reference may have "
                + "\(Int(limitSeconds / 60)) at most. Cut the recording into movements."
        case .changedMeanwhile(let piece):
            "The model “\(piece)” was changed by something else during this work, so it was left as it is. Start this "
                + "work again."
        }
    }

    /// Shortens a text from outside and puts it on one line, for an error.
    private static func excerpt(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) {
            let isPlain = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
            scalars.append(isPlain ? scalar : " ")
        }
        return String(scalars) + (text.unicodeScalars.count > 60 ? "…" : "")
    }
}
