/// Determines a visitor's address, also if a trusted proxy forwards the request.
///
/// Anybody can write header fields about a request's origin. So they count only if the connection comes from a
/// trusted proxy, and only the last part of the list counts: from the right, the first address that is not a trusted
/// proxy's. A stranger may have written everything before it. If the end of the list is unreadable, or the two header
/// fields disagree about it, the proxy itself counts as the visitor; that can only be too strict. A quotation mark
/// that is never closed would swallow the proxy's own entry, so such a list is unreadable as a whole.
///
/// Used for limits, never for rights: no address lets anybody in. Source: RFC 7239 (Forwarded); X-Forwarded-For as
/// nginx, HAProxy, Caddy and Traefik write it.
struct ClientAddressResolver {
    let proxies: Set<NumericAddress>

    /// - Parameters:
    ///   - peer: the address of the connection's other side.
    ///   - forwardedFor: values of X-Forwarded-For, in their order.
    ///   - forwarded: values of Forwarded.
    func address(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard !proxies.isEmpty, let near = NumericAddress(peer), proxies.contains(near) else { return peer }
        guard let standard = Self.list(forwarded) else { return peer }
        let said = [Self.plainList(forwardedFor), standard].filter { !$0.isEmpty }.map { farthest($0) }
        guard let first = said.first, let first, said.allSatisfy({ $0 == first }) else { return peer }
        return first.description
    }

    /// The visitor according to a list; nil if its end is unreadable, or if it contains only trusted proxies.
    private func farthest(_ list: [String]) -> NumericAddress? {
        for node in list.reversed() {
            guard let address = Self.address(node) else { return nil }
            if !proxies.contains(address) { return address }
        }
        return nil
    }

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(_ node: String) -> NumericAddress? {
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]"), isPort(node[node.index(after: end)...]) else {
                return nil
            }
            return NumericAddress(node[node.index(after: node.startIndex)..<end])
        }
        if let address = NumericAddress(node) { return address }
        guard let colon = node.firstIndex(of: ":"), isPort(node[colon...]) else { return nil }
        return NumericAddress(node[..<colon])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
    }

    private static func plainList(_ values: [String]) -> [String] {
        values.flatMap { $0.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) }
            .map { trimmed(String($0)) }
    }

    /// The `for=` value of each element of Forwarded; "" if an element has none, nil if a quotation is never closed.
    private static func list(_ values: [String]) -> [String]? {
        var nodes: [String] = []
        for value in values {
            guard let elements = parts(value, at: ",") else { return nil }
            for element in elements {
                guard let pairs = parts(element, at: ";")?.map(trimmed) else { return nil }
                let pair = pairs.first { $0.lowercased().hasPrefix("for=") }
                nodes.append(unquoted(pair.map { String($0.dropFirst(4)) } ?? ""))
            }
        }
        return nodes
    }

    /// Splits at a sign outside quotation marks; nil if a quotation mark is never closed.
    ///
    /// Compares scalars: a stranger could put a character (U+0600 and the like) before the sign that makes it part of
    /// another letter.
    private static func parts(_ text: String, at sign: Unicode.Scalar) -> [String]? {
        var (parts, isQuoted, isEscaped) = ([String.UnicodeScalarView()], false, false)
        for scalar in text.unicodeScalars {
            if scalar == sign, !isQuoted {
                parts.append(String.UnicodeScalarView())
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && scalar == "\\" && !isEscaped
            parts[parts.count - 1].append(scalar)
        }
        return isQuoted ? nil : parts.map { String($0) }
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        // No address contains a backslash, so escapes are not decoded.
        return String(text.dropFirst().dropLast())
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
        let behind = text.drop(while: isSpace)
        return String(behind.reversed().drop(while: isSpace).reversed())
    }
}
