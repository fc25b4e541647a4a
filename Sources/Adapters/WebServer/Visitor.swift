/// Says who asks, where a proxy of ours asks on behalf of others.
///
/// What a request says of its own origin anybody can write. So it counts only where the connection comes from a proxy that
/// was named to us, and of the list only its end: from the right, the first address that is not such a proxy's. What
/// stands before that was written by a stranger. Where the list's end is unreadable, or the two header fields for it
/// differ, the proxy itself counts as the visitor; that can only be too strict. A quotation mark that a stranger opens
/// and nobody closes would swallow what the proxy added, so such a list is unreadable as a whole.
///
/// For limits, never for rights: nobody is let in by an address.
/// Source: RFC 7239 (Forwarded); X-Forwarded-For as nginx, HAProxy, Caddy and Traefik write it.
struct Visitor {
    let proxies: Set<NumericAddress>

    /// - Parameters:
    ///   - peer: the other side of the connection.
    ///   - forwardedFor: values of X-Forwarded-For, in their order.
    ///   - forwarded: values of Forwarded.
    func address(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard !proxies.isEmpty, let near = NumericAddress(peer), proxies.contains(near) else { return peer }
        guard let standard = Self.list(forwarded) else { return peer }
        let said = [Self.plainList(forwardedFor), standard].filter { !$0.isEmpty }.map { farthest($0) }
        guard let first = said.first, let first, said.allSatisfy({ $0 == first }) else { return peer }
        return first.description
    }

    /// The visitor of a list; nil where its end cannot be read, or names nobody but our proxies.
    private func farthest(_ list: [String]) -> NumericAddress? {
        for node in list.reversed() {
            guard let address = Self.address(node) else { return nil }
            if !proxies.contains(address) { return address }
        }
        return nil
    }

    /// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
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

    /// What each element of Forwarded says by `for=`; "" where it says nothing, nil where a quotation does not end.
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

    /// Cuts where the sign stands outside quotation marks; nil where one of those is never closed.
    ///
    /// By scalars: as a letter, a sign is another one with what a stranger put before it (U+0600 and the like).
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
        // Nothing in an address needs a backslash.
        return String(text.dropFirst().dropLast())
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
        let behind = text.drop(while: isSpace)
        return String(behind.reversed().drop(while: isSpace).reversed())
    }
}
