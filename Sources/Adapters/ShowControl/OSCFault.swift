import Explanations

/// The reasons why bytes are not a valid packet, or why a message cannot be encoded. Offsets count from the packet's
/// start.
public enum OSCFault {
    static let unknownTypeTagCode = "unknown-type-tag"

    public static func unknownTypeTag(tag: UInt8, at: Int) -> ExplainedError {
        ExplainedError(
            "The type \(OSCFault.describeTypeTag(of: tag)) at byte \(at) is not one of i f s b T F N "
                + "I h d t.", code: unknownTypeTagCode)
    }

    public static func endsTooEarly(at: Int, missing: Int) -> ExplainedError {
        ExplainedError("The packet ends at byte \(at), where \(missing) more are due.")
    }

    private static func describeTypeTag(of tag: UInt8) -> String {
        tag > 0x20 && tag < 0x7F ? "'\(Character(Unicode.Scalar(tag)))'" : "number \(tag)"
    }
}
