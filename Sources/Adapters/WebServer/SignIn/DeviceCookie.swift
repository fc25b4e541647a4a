import Hummingbird

/// The cookie by which a browser is known again after the sign-in itself has ended.
enum DeviceCookie {
    static let name = "baton_device"
    private static let days = 400

    /// - Parameter overTLS: true marks the cookie `Secure`, so that browsers never send it unencrypted.
    static func setting(_ mark: String, overTLS: Bool) -> Cookie {
        Cookie(
            name: name, value: mark, maxAge: days * 86_400, path: "/api/", secure: overTLS, httpOnly: true,
            sameSite: .strict)
    }

    /// The mark in what a browser sent.
    /// - Parameter fields: values of the `Cookie` header fields.
    static func mark(in fields: [String]) -> String? { SessionCookie.value(of: name, in: fields) }
}
