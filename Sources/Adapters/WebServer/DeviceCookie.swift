/// The cookie by which a browser is known again after the sign-in itself has ended.
enum DeviceCookie {
    static let name = "baton_device"
    private static let days = 400

    /// - Parameter overTLS: then the browser never sends it in the clear.
    static func setting(_ mark: String, overTLS: Bool) -> String {
        "\(name)=\(mark); Path=/api/; HttpOnly; SameSite=Strict; Max-Age=\(days * 86_400)"
            + (overTLS ? "; Secure" : "")
    }

    /// The mark in what a browser sent.
    /// - Parameter fields: values of the `Cookie` header fields.
    static func mark(in fields: [String]) -> String? { SessionCookie.value(of: name, in: fields) }
}
