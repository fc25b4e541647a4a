import Hummingbird

/// An HTTP header field. This alias avoids importing the module from which Hummingbird re-exports the type.
typealias HTTPField = HTTPFields.Element

/// The security header fields of every response.
enum SecurityHeaders {
    private static let ownMedia = "media-src 'self' blob:"

    /// The content security policy: pages load scripts, styles and frames only from this server, and none inline.
    static let contentSecurityPolicy = [
        "default-src 'self'", "img-src 'self' data: blob:", ownMedia, "object-src 'none'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The policy of pages and workers that follow music: the engine is WebAssembly of this server.
    static let contentSecurityPolicyOfFollowers =
        contentSecurityPolicy + "; script-src 'self' 'wasm-unsafe-eval'"

    /// The policy of a page that also reads from the other server of a pair: streams, pictures and videos, no scripts.
    static func contentSecurityPolicy(readingAlso origin: String) -> String {
        contentSecurityPolicy.replacing("img-src 'self'", with: "img-src 'self' \(origin)")
            .replacing("; \(ownMedia)", with: "")
            + "; connect-src 'self' \(origin); media-src 'self' \(origin) blob:"
    }

    /// The browser uses only TLS for a year, which is longer than the time between two concerts in a hall.
    static let strictTransportSecurityValue = "max-age=31536000"

    static func add(to fields: inout HTTPFields) {
        // A route may set a stricter policy for its content.
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = contentSecurityPolicy }
        fields[.xContentTypeOptions] = "nosniff"
        fields[headerName("Referrer-Policy")] = "same-origin"
        fields[headerName("X-Frame-Options")] = "DENY"
        fields[headerName("Cross-Origin-Opener-Policy")] = "same-origin"
        fields[headerName("Cross-Origin-Resource-Policy")] = "same-origin"
        if fields[permissionsPolicyName] == nil { fields[permissionsPolicyName] = permissionsPolicy() }
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }

    /// An answer that depends on who asks is never shown to the next person at the same browser: no route that is not
    /// for anybody may say that it may be kept without asking, and caches distinguish people by their cookies.
    static func keepPersonal(_ fields: inout HTTPFields, answering route: WebRoute) {
        guard route.access != .anybody || route.identifiesVisitor else { return }
        fields[.vary] = fields[.vary].map { $0 + ", Cookie" } ?? "Cookie"
        guard let keeping = fields[.cacheControl], !keeping.contains("no-cache"),
            !keeping.contains("no-store")
        else { return }
        fields[.cacheControl] = "private, no-cache"
    }

    static let permissionsPolicyName = headerName("Permissions-Policy")

    /// The features of the browser that a page may use: none, or the microphone alone.
    static func permissionsPolicy(allowsMicrophone: Bool = false) -> String {
        "camera=(), microphone=(\(allowsMicrophone ? "self" : "")), geolocation=()"
    }

    static func headerName(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("“\(text)” cannot name a header field")
        }
        return name
    }
}
