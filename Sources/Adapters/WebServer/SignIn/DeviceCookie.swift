import Hummingbird

/// The cookie by which the server recognises a browser after its sign-in has ended.
enum DeviceCookie {
    static let name = "baton_device"
    private static let nameBesidePlain = "__Secure-baton_device"
    private static let lifetimeDays = 400

    /// The cookie that stores a device mark in the browser.
    /// - Parameter overTLS: true marks the cookie `Secure`, so that browsers never send it unencrypted.
    static func makeCookie(
        _ mark: String, overTLS: Bool, transport: WebTransport = .plain
    ) -> Cookie {
        Cookie(
            name: name(over: transport), value: mark, maxAge: lifetimeDays * 86_400, path: "/api/",
            secure: overTLS,
            httpOnly: true,
            sameSite: .strict)
    }

    /// The device mark in the cookies of a request; nil if there is none.
    /// - Parameter fields: the values of the `Cookie` header fields.
    static func readMark(in fields: [String], over transport: WebTransport = .plain) -> String? {
        SessionCookie.readValue(of: name(over: transport), in: fields)
    }

    private static func name(over transport: WebTransport) -> String {
        transport == .secureBesidePlain ? nameBesidePlain : name
    }
}
