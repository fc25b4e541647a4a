/// Refuses requests that another site made the visitor's browser send.
///
/// Three defences, each sufficient by itself. The cookie is `SameSite=Strict`. A change needs the header `X-Baton`,
/// which another site's page cannot add without our consent. Its `Origin` must be ours. If no sign-in is required,
/// the host must also be a name of this machine, so that a foreign name made to point to 127.0.0.1 opens nothing.
struct CrossSiteCheck: Sendable {
    let scheme: String
    let furtherOrigins: Set<String>
    let onlyLoopbackNames: Bool

    init(_ settings: WebSettings) {
        scheme = settings.scheme
        furtherOrigins = Set(settings.furtherOrigins.map(\.description))
        onlyLoopbackNames = settings.signIn == .notNeeded
    }

    enum Purpose { case page, reading, change }

    /// Checks a request; nil if it is allowed.
    /// - Parameter host: the request's Host field, with the port.
    func refusal(
        host: String?, origin: String?, fetchSite: String?, mark: String?, purpose: Purpose
    ) -> WebResponse? {
        if onlyLoopbackNames, !Loopback.contains(Self.name(in: host ?? "")) {
            return .refused(
                403, "cross-site",
                "Without sign-in this server answers only as localhost or 127.0.0.1; use one of these.")
        }
        let isForeign = fetchSite.map { $0 != "same-origin" && $0 != "none" } ?? false
        // With a sign-in, browsers do not send the cookie from other sites; without, another site's page could still
        // occupy our streams.
        if purpose == .reading, onlyLoopbackNames, isForeign { return Self.foreign }
        guard purpose == .change else { return nil }
        guard mark == "1" else {
            return .refused(403, "cross-site", "The header X-Baton: 1 is missing; a change needs it.")
        }
        if let origin {
            let origin = origin.lowercased()
            let own = host.map { "\(scheme)://\($0.lowercased())" }
            guard origin == own || furtherOrigins.contains(origin) else { return Self.foreign }
        } else if isForeign {
            return Self.foreign
        }
        return nil
    }

    private static let foreign = WebResponse.refused(
        403, "cross-site", "This request comes from another site; open the console at its own address.")

    /// The host without its port.
    private static func name(in host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}
