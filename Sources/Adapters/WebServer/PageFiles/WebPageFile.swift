import Basics
import NIOCore
import Platform

/// A file for browsers (a page, script, style or image), held in memory and shared by all requests.
struct WebPageFile: Equatable, Sendable {
    let contentType: String
    let body: ByteBuffer
    /// The content compressed with gzip; nil if that is not smaller.
    let gzippedBody: ByteBuffer?
    /// The HTTP entity tag, with its quotation marks. It changes with the content.
    let entityTag: String

    init(name: String, body: [UInt8]) {
        let kind = Self.contentTypesByExtension[name.split(separator: ".").last.map { $0.lowercased() } ?? ""]
        contentType = kind?.type ?? "application/octet-stream"
        self.body = ByteBuffer(bytes: body)
        let zipped = kind?.compresses == true && body.count > 512 ? Gzip.compress(body) : nil
        self.gzippedBody = zipped.flatMap { $0.count < body.count ? ByteBuffer(bytes: $0) : nil }
        entityTag = "\"\(String(FNV1aHash.of(body), radix: 36))-\(body.count)\""
    }

    /// - Parameter tag: identifies the version of the content; without quotation marks.
    init(contentType: String, body: [UInt8], tag: String) {
        self.contentType = contentType
        self.body = ByteBuffer(bytes: body)
        let zipped = body.count > 512 ? Gzip.compress(body) : nil
        self.gzippedBody = zipped.flatMap { $0.count < body.count ? ByteBuffer(bytes: $0) : nil }
        self.entityTag = "\"\(tag)\""
    }

    private static let contentTypesByExtension: [String: (type: String, compresses: Bool)] = [
        "html": ("text/html; charset=utf-8", true), "css": ("text/css; charset=utf-8", true),
        "js": ("text/javascript; charset=utf-8", true), "mjs": ("text/javascript; charset=utf-8", true),
        "json": ("application/json", true), "webmanifest": ("application/manifest+json", true),
        "svg": ("image/svg+xml", true), "txt": ("text/plain; charset=utf-8", true),
        "csv": ("text/csv; charset=utf-8", true), "png": ("image/png", false), "jpg": ("image/jpeg", false),
        "wasm": ("application/wasm", true), "webp": ("image/webp", false), "ico": ("image/x-icon", false),
        "woff2": ("font/woff2", false),
    ]
}
