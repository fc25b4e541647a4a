import Explanations

/// A field of a push message whose text a person writes.
public enum PushMessageField: String, Hashable, Sendable {
    case title
    case body
    case buttonText = "button text"
}

/// Reasons why a message cannot be sent.
public enum PushMessageFault: Explained, Hashable, Sendable {
    case empty
    case containsVerticalBar(PushMessageField)
    case lineBreak(PushMessageField)
    case buttonWithoutText
    case notAWebAddress(String)
    case tooLong(bytes: Int)

    public var sentence: String {
        switch self {
        case .empty: "The message has neither a title nor a body; write at least one of them."
        case .containsVerticalBar(let field):
            "The message's \(field.rawValue) holds a '|', which ends a field; remove it."
        case .lineBreak(let field):
            "The message's \(field.rawValue) holds a line break or another control character; remove it."
        case .buttonWithoutText: "The message has a button without a text; give it one or use AUTO."
        case .notAWebAddress(let text):
            "A message titled 'Link' needs an http or https address in place of the button text, not '\(text)'."
        case .tooLong(let bytes):
            "The message takes \(bytes) bytes; shorten it to \(BroadcastPacket.longestBytes) at most."
        }
    }
}
