import Basics

/// A message that every phone shows once: `PUSH|{title}|{body}|{style}|{button text}|`.
///
/// Every `PushMessage` can be sent, because the initialiser refuses texts that a packet cannot carry. The same rules
/// apply to messages written by a person and to messages received.
public struct PushMessage: Hashable, Sendable {
    /// A message with this title carries a web address instead of a button text.
    public static let linkTitle = "Link"

    public let title: String
    public let body: String
    public let style: PushStyle
    /// The text of the button, or the web address of a link. Not shown for ``PushStyle/auto``.
    public let buttonText: String

    /// Checks and makes a message.
    /// - Throws: ``ExplainedError`` that names the field that breaks a rule.
    public init(
        title: String, body: String, style: PushStyle, buttonText: String = ""
    ) throws(ExplainedError) {
        for (field, text) in [(PushMessageField.title, title), (.body, body), (.buttonText, buttonText)] {
            guard !text.utf8.contains(PacketTextParsing.verticalBar) else {
                throw ExplainedError(
                    "The message's \(field.rawValue) holds a '|', which ends a field; remove it.")
            }
            guard !text.unicodeScalars.contains(where: \.isControlOrLineBreak) else {
                throw ExplainedError(
                    "The message's \(field.rawValue) holds a line break or another control character; "
                        + "remove it.")
            }
        }
        guard !title.isEmpty || !body.isEmpty else {
            throw ExplainedError("The message has neither a title nor a body; write at least one of them.")
        }
        self.title = title
        self.body = body
        self.style = style
        self.buttonText = buttonText
        guard !isLink || link != nil else {
            throw ExplainedError(
                "A message titled 'Link' needs an http or https address in place of the button text, not "
                    + "'\(buttonText)'.")
        }
        guard style.closesByItself || !buttonText.isEmpty else {
            throw ExplainedError("The message has a button without a text; give it one or use AUTO.")
        }
        let length = bytes.count
        guard length <= BroadcastPacket.longestBytes else {
            throw ExplainedError(
                "The message takes \(length) bytes; shorten it to \(BroadcastPacket.longestBytes) at most.")
        }
    }

    /// True if phones offer to open the web address in ``link``.
    public var isLink: Bool { title.utf8.elementsEqual(Self.linkTitle.utf8) }

    /// The web address that a link message opens; nil for other messages.
    public var link: WebAddress? { isLink ? WebAddress(buttonText) : nil }

    public var bytes: [UInt8] { Array("PUSH|\(title)|\(body)|\(style.spelling)|\(buttonText)|".utf8) }
}
