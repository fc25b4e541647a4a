/// A text that many clients fetch: held in memory, compressed once, with a tag that identifies its version.
public struct WebDocument: Equatable, Sendable {
    let page: Page

    /// Compresses the text; some milliseconds for 100 kB.
    /// - Parameter tag: changes with the text; without quotes.
    public init(contentType: String, body: [UInt8], tag: String) {
        page = Page(contentType: contentType, body: body, tag: tag)
    }
}
