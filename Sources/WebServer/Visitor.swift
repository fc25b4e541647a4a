/// Says who asks, where a proxy of ours asks on behalf of others.
///
/// What a request says of its own origin anybody can write. So it counts only where the connection comes from a proxy that
/// was named to us, and of the list only its end: from the right, the first address that is not such a proxy's. What
/// stands before that was written by a stranger. Where the list's end is unreadable, or the two header fields for it
/// differ, the proxy itself counts as the visitor; that can only be too strict.
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
        let lists = [Self.plainList(forwardedFor), Self.list(forwarded)].filter { !$0.isEmpty }
        let said = lists.map { farthest($0) }
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
        values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(trimmed)
    }

    /// What each element of Forwarded says by `for=`; "" where it says nothing.
    private static func list(_ values: [String]) -> [String] {
        values.flatMap { parts($0, at: ",") }.map { element in
            let pair = parts(element, at: ";").map(trimmed).first { $0.lowercased().hasPrefix("for=") }
            return unquoted(pair.map { String($0.dropFirst(4)) } ?? "")
        }
    }

    /// Cuts where the sign stands outside quotation marks.
    private static func parts(_ text: String, at sign: Character) -> [String] {
        var (parts, isQuoted, isEscaped) = ([""], false, false)
        for letter in text {
            if letter == sign, !isQuoted {
                parts.append("")
                continue
            }
            if letter == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && letter == "\\" && !isEscaped
            parts[parts.count - 1].append(letter)
        }
        return parts
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
