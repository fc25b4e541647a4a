import Names

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
    /// - Throws: ``PushMessageFault`` that names the field that breaks a rule.
    public init(
        title: String, body: String, style: PushStyle, buttonText: String = ""
    ) throws(PushMessageFault) {
        for (field, text) in [(PushMessageField.title, title), (.body, body), (.buttonText, buttonText)] {
            guard !text.utf8.contains(PacketTextParsing.verticalBar) else {
                throw .containsVerticalBar(field)
            }
            guard !text.unicodeScalars.contains(where: \.isControlOrLineBreak) else {
                throw .lineBreak(field)
            }
        }
        guard !title.isEmpty || !body.isEmpty else { throw .empty }
        self.title = title
        self.body = body
        self.style = style
        self.buttonText = buttonText
        guard !isLink || link != nil else { throw .notAWebAddress(buttonText) }
        guard style.closesByItself || !buttonText.isEmpty else { throw .buttonWithoutText }
        let length = bytes.count
        guard length <= BroadcastPacket.longestBytes else { throw .tooLong(bytes: length) }
    }

    /// True if phones offer to open the web address in ``link``.
    public var isLink: Bool { title.utf8.elementsEqual(Self.linkTitle.utf8) }

    /// The web address that a link message opens; nil for other messages.
    public var link: WebAddress? { isLink ? WebAddress(buttonText) : nil }

    public var bytes: [UInt8] { Array("PUSH|\(title)|\(body)|\(style.spelling)|\(buttonText)|".utf8) }
}
