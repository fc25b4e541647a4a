import Hummingbird

/// One header field, named without importing the module that Hummingbird hands it on from.
typealias HTTPField = HTTPFields.Element

/// Header fields that every answer carries.
enum SafeFields {
    /// Everything a page loads comes from here; no script, style or frame from elsewhere, none written into pages.
    static let policy = [
        "default-src 'self'", "img-src 'self' data: blob:", "object-src 'none'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// A year: longer than anybody waits between two concerts of a hall.
    static let onlyByTLS = "max-age=31536000"

    static func add(to fields: inout HTTPFields) {
        // A route may say something stricter of what it gives out.
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
        fields[.xContentTypeOptions] = "nosniff"
        fields[name("Referrer-Policy")] = "same-origin"
        fields[name("X-Frame-Options")] = "DENY"
        fields[name("Cross-Origin-Opener-Policy")] = "same-origin"
        fields[name("Cross-Origin-Resource-Policy")] = "same-origin"
        fields[name("Permissions-Policy")] = "camera=(), microphone=(), geolocation=()"
        if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    }

    static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("“\(text)” cannot name a header field")
        }
        return name
    }
}
