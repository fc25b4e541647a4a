import Hummingbird

/// The cookie that contains the secret token of a person's sign-in.
enum SessionCookie {
    static let name = "baton_session"
    /// The name over TLS on a server that also answers plain HTTP; see ``WebTransport/secureBesidePlain``. Browsers take
    /// such a name over TLS only.
    private static let nameBesidePlain = "__Host-baton_session"
    static let lifetimeDays = 30

    /// The cookie that stores a token in the browser.
    /// - Parameter overTLS: true marks the cookie `Secure`, so that browsers never send it unencrypted.
    static func makeCookie(
        _ token: String, overTLS: Bool, transport: WebTransport = .plain
    ) -> Cookie {
        Cookie(
            name: name(over: transport), value: token, maxAge: lifetimeDays * 86_400, path: "/",
            secure: overTLS,
            httpOnly: true,
            sameSite: .strict)
    }

    static func makeExpiredCookie(overTLS: Bool, transport: WebTransport = .plain) -> Cookie {
        Cookie(
            name: name(over: transport), value: "", maxAge: 0, path: "/", secure: overTLS, httpOnly: true,
            sameSite: .strict)
    }

    static func name(over transport: WebTransport) -> String {
        transport == .secureBesidePlain ? nameBesidePlain : name
    }

    /// The sign-in token in the cookies of a request; nil if there is none.
    /// - Parameter fields: the values of the `Cookie` header fields.
    static func readToken(in fields: [String], over transport: WebTransport = .plain) -> String? {
        readValue(of: name(over: transport), in: fields)
    }

    /// The value of a named cookie; nil if it contains anything but letters, digits, `-` and `_`.
    static func readValue(of name: String, in fields: [String]) -> String? {
        Cookies(from: fields)[name].map(\.value).flatMap { isToken($0) ? $0 : nil }
    }

    /// The sign-in token that a program sends in the header field `Authorization: Bearer …`.
    static func readToken(inAuthorization field: String?) -> String? {
        guard let field, field.utf8.count < 300, field.lowercased().hasPrefix("bearer ") else { return nil }
        let token = String(field.dropFirst(7).drop { $0 == " " })
        return isToken(token) ? token : nil
    }

    private static func isToken(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
