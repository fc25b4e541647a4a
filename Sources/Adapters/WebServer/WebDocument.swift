/// A text that many fetch: held in memory, packed once, with a tag that says whether it is still the same.
public struct WebDocument: Equatable, Sendable {
    let page: Page

    /// Cost: packs the text; some milliseconds for 100 kB.
    /// - Parameter tag: changes when the text does; without quotes.
    public init(contentType: String, body: [UInt8], tag: String) {
        page = Page(contentType: contentType, body: body, tag: tag)
    }
}
