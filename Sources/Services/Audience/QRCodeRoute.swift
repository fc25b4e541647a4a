import Pictures
import WebServer

/// `GET /api/qr.svg?text=ADDRESS` draws the QR code of a web address, for the console and the poster.
///
/// Everybody may use it without signing in. The address has a length limit, so that drawing takes less than a
/// millisecond.
enum QRCodeRoute {
    static let route = WebRoute(.get, "/api/qr.svg", .anybody) { request in
        let text = request.queryParameters["text"] ?? ""
        guard ["http://", "https://"].contains(where: text.hasPrefix) else {
            return .refused(
                400, "bad-text", "“text” is the web address to draw; it begins with http:// or https://.")
        }
        guard let code = QRCode(text) else {
            return .refused(
                400, "too-long",
                "The address has \(text.utf8.count) bytes; a code takes up to \(QRCode.mostTextBytes). "
                    + "Use a shorter one."
            )
        }
        return WebResponse(contentType: "image/svg+xml", body: Array(code.makeSVG().utf8))
    }
}
