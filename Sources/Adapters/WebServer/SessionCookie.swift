/// The cookie that keeps somebody signed in.
enum SessionCookie {
    static let name = "baton_session"
    static let days = 30

    /// - Parameter overTLS: then the browser never sends it in the clear.
    static func setting(_ token: String, overTLS: Bool) -> String {
        "\(name)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(days * 86_400)"
            + (overTLS ? "; Secure" : "")
    }

    static func clearing(overTLS: Bool) -> String {
        "\(name)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" + (overTLS ? "; Secure" : "")
    }

    /// The token in what a browser sent.
    /// - Parameter fields: values of the `Cookie` header fields.
    static func token(in fields: [String]) -> String? { value(of: name, in: fields) }

    /// The value of a cookie; nil for one that holds other than letters, digits, `-` and `_`.
    static func value(of name: String, in fields: [String]) -> String? {
        for field in fields {
            for part in field.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2, pair[0].trimmed == name else { continue }
                let token = pair[1].trimmed
                if isToken(token) { return token }
            }
        }
        return nil
    }

    /// The token of a program that sends `Authorization: Bearer …`.
    static func token(inAuthorization field: String?) -> String? {
        guard let field, field.utf8.count < 300, field.lowercased().hasPrefix("bearer ") else { return nil }
        let token = field.dropFirst(7).trimmed
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

extension Substring {
    fileprivate var trimmed: String {
        var part = self
        while part.first == " " { part.removeFirst() }
        while part.last == " " { part.removeLast() }
        return String(part)
    }
}
