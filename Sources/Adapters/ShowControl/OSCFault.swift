import Basics

/// The reasons why bytes are not a valid packet, or why a message cannot be encoded. Offsets count from the packet's
/// start.
public enum OSCFault {
    static let unknownTypeTagCode = "unknown-type-tag"
    /// A packet is too long or has an impossible length.
    static let tooLongCode = "too-long"

    /// The first byte is a capital letter, as in an HTTP method: a browser or another web client has connected.
    static let webRequest = ExplainedError(
        "This is no OSC but a web request, perhaps of a page in a browser on that machine; the connection was ended "
            + "and nothing was done.")

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
