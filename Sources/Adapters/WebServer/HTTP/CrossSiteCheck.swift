/// Refuses requests that another website made the visitor's browser send.
///
/// There are three defences, each sufficient by itself. The session cookie is `SameSite=Strict`. A request that
/// changes something needs the header `X-Baton`, which another website's page cannot add. The request's `Origin` must
/// be this server's. The host must also be this server's own (``OwnHostNames``), unless a listener only looks. If no
/// sign-in is required, it must be a loopback name.
struct CrossSiteCheck: Sendable {
    let furtherOrigins: Set<String>
    let onlyLoopbackNames: Bool
    let hostNames: OwnHostNames

    init(_ settings: WebSettings, hostNames: OwnHostNames) {
        self.hostNames = hostNames
        furtherOrigins = Set(settings.furtherOrigins.map(\.description))
        onlyLoopbackNames = settings.signInRequirement == .notNeeded
    }

    enum Purpose { case page, reading, change }

    /// Checks a request.
    /// - Parameters:
    ///   - host: the header field Host, with the port.
    ///   - origin: the header field Origin.
    ///   - fetchSite: the header field Sec-Fetch-Site.
    ///   - mark: the header field X-Baton.
    ///   - isSecure: true if the request came over TLS.
    ///   - isForListeners: true for pages and routes that need no sign-in.
    ///   - checksHost: false behind a trusted proxy, which has checked the name.
    ///   - trustedOrigin: an origin whose pages may use this route as well as this server's own; nil if there is none.
    /// - Returns: the refusal; nil if the request is allowed.
    func refusal(
        host: String?, origin: String?, fetchSite: String?, mark: String?, purpose: Purpose,
        isSecure: Bool = false, isForListeners: Bool = true, checksHost: Bool = true,
        trustedOrigin: String? = nil
    ) -> WebResponse? {
        if onlyLoopbackNames, !Loopback.contains(OwnHostNames.hostWithoutPort(in: host ?? "")) {
            return .refused(
                403, "cross-site",
                "Without sign-in this server answers only as localhost or 127.0.0.1; use one of these.")
        }
        if checksHost, purpose == .change || !isForListeners, let host, !hostNames.contains(host) {
            return OwnHostNames.refusal(of: host)
        }
        let isTrusted = trustedOrigin != nil && origin?.lowercased() == trustedOrigin
        let isForeign = !isTrusted && (fetchSite.map { $0 != "same-origin" && $0 != "none" } ?? false)
        // If a sign-in is required, browsers do not send its cookie from other sites. Without a sign-in, another site's
        // page could still occupy this server's streams.
        if purpose == .reading, onlyLoopbackNames, isForeign { return Self.otherSiteRefusal }
        guard purpose == .change else { return nil }
        guard mark == "1" else {
            return .refused(403, "cross-site", "The header X-Baton: 1 is missing; a change needs it.")
        }
        if let origin {
            let origin = origin.lowercased()
            let own = host.map { "\(isSecure ? "https" : "http")://\($0.lowercased())" }
            guard isTrusted || origin == own || furtherOrigins.contains(origin) else {
                return Self.otherSiteRefusal
            }
        } else if isForeign {
            return Self.otherSiteRefusal
        }
        return nil
    }

    private static let otherSiteRefusal = WebResponse.refused(
        403, "cross-site", "This request comes from another site; open the console at its own address.")
}
