import Hummingbird

/// The cookie by which the server recognises a browser after its sign-in has ended.
enum DeviceCookie {
    static let name = "baton_device"
    private static let lifetimeDays = 400

    /// The cookie that stores a device mark in the browser.
    /// - Parameter overTLS: true marks the cookie `Secure`, so that browsers never send it unencrypted.
    static func makeCookie(_ mark: String, overTLS: Bool) -> Cookie {
        Cookie(
            name: name, value: mark, maxAge: lifetimeDays * 86_400, path: "/api/", secure: overTLS,
            httpOnly: true,
            sameSite: .strict)
    }

    /// The device mark in the cookies of a request; nil if there is none.
    /// - Parameter fields: the values of the `Cookie` header fields.
    static func readMark(in fields: [String]) -> String? { SessionCookie.readValue(of: name, in: fields) }
}
