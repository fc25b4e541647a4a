/// A text that many clients fetch. It is held in memory, compressed only once, and has a tag that identifies its
/// version.
public struct PrecompressedDocument: Equatable, Sendable {
    let pageFile: WebPageFile

    /// Compresses the text, which takes some milliseconds for 100 kB.
    /// - Parameter tag: identifies the version of the text; without quotation marks.
    public init(contentType: String, body: [UInt8], tag: String) {
        pageFile = WebPageFile(contentType: contentType, body: body, tag: tag)
    }
}
