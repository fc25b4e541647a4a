/// The reasons why bytes are not a valid packet, or why a message cannot be encoded. Offsets count from the packet's
/// start.
public enum OSCFault: Error, Hashable, Sendable {
    case packetTooLong(bytes: Int, most: Int)
    case emptyPacket
    case lengthNotMultipleOfFour(bytes: Int)
    case neitherMessageNorBundle
    case stringUnfinished(at: Int)
    case paddingNotZero(at: Int)
    case notUTF8(at: Int)
    case forbiddenAddressCharacter(at: Int)
    case typeTagsMissing(at: Int)
    case unknownTypeTag(tag: UInt8, at: Int)
    case endsTooEarly(at: Int, missing: Int)
    case impossibleBlobSize(Int32, at: Int)
    case bytesLeftOver(bytes: Int, at: Int)
    case impossibleElementSize(Int32, at: Int)
    case nestedTooDeeply(most: Int)
    case tooManyElements(most: Int)
    case tooManyArguments(most: Int)
    case addressWithoutSlash(String)
    case zeroByteInText(String)

    public var sentence: String {
        switch self {
        case .packetTooLong(let bytes, let most):
            "The packet has \(bytes) bytes; at most \(most) are read. Send fewer messages in one packet."
        case .emptyPacket: "The packet is empty."
        case .lengthNotMultipleOfFour(let bytes):
            "The packet has \(bytes) bytes; the length of an OSC packet is a multiple of four."
        case .neitherMessageNorBundle:
            "The packet starts neither with '/' nor with '#bundle'; is the sender set to OSC 1.0?"
        case .stringUnfinished(let at): "The text at byte \(at) has no zero at its end."
        case .paddingNotZero(let at): "Byte \(at) is padding and must be zero."
        case .notUTF8(let at): "The text at byte \(at) is not UTF-8."
        case .forbiddenAddressCharacter(let at):
            "Byte \(at) of the address is a space or a special character; arguments do not belong there."
        case .typeTagsMissing(let at): "There is no type tag string (',…') at byte \(at)."
        case .unknownTypeTag(let tag, let at):
            "The type \(Self.describeTypeTag(of: tag)) at byte \(at) is not one of i f s b T F N I h d t."
        case .endsTooEarly(let at, let missing):
            "The packet ends at byte \(at), where \(missing) more are due."
        case .impossibleBlobSize(let size, let at): "The blob at byte \(at) cannot have \(size) bytes."
        case .bytesLeftOver(let bytes, let at):
            "\(bytes) bytes are left over after the last argument, at byte \(at)."
        case .impossibleElementSize(let size, let at):
            "The bundle element at byte \(at) cannot have \(size) bytes."
        case .nestedTooDeeply(let most): "Bundles are nested more than \(most) deep."
        case .tooManyElements(let most): "The packet has more than \(most) messages and bundles."
        case .tooManyArguments(let most): "A message has more than \(most) arguments."
        case .addressWithoutSlash(let address): "The address '\(address)' does not start with '/'."
        case .zeroByteInText(let text): "The text '\(text.filter { $0 != "\0" })' has a zero byte inside."
        }
    }

    private static func describeTypeTag(of tag: UInt8) -> String {
        tag > 0x20 && tag < 0x7F ? "'\(Character(Unicode.Scalar(tag)))'" : "number \(tag)"
    }
}
