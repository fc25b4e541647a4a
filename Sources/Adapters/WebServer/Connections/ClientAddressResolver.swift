/// Determines a visitor's address, even if a trusted proxy forwards the request.
///
/// Anybody can send the header fields `X-Forwarded-For` and `Forwarded`, so they count only on a connection from a
/// trusted proxy. Even then a stranger may have written the beginning of the list. The visitor's address is the last
/// one in the list that is not a trusted proxy's.
///
/// If the end of the list is unreadable, or the two header fields disagree about it, the proxy's own address is used;
/// limits can then only become too strict. A list with an unclosed quotation mark counts as unreadable, because the
/// mark would swallow the proxy's own entry.
///
/// The address is used for limits, never for rights: no address lets anybody in. Source: RFC 7239 (Forwarded);
/// X-Forwarded-For as nginx, HAProxy, Caddy and Traefik write it.
struct ClientAddressResolver {
    let trustedProxies: Set<NumericAddress>

    /// Returns the visitor's address, or `peer` if the header fields do not count or cannot be read.
    /// - Parameters:
    ///   - peer: the address of the other end of the connection.
    ///   - forwardedFor: the values of the header fields X-Forwarded-For, in order.
    ///   - forwarded: the values of the header fields Forwarded, in order.
    func resolveAddress(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard !trustedProxies.isEmpty, let near = NumericAddress(peer), trustedProxies.contains(near) else {
            return peer
        }
        guard let standard = Self.parseForwarded(forwarded) else { return peer }
        let said = [Self.parseXForwardedFor(forwardedFor), standard].filter { !$0.isEmpty }.map {
            lastUntrustedAddress($0)
        }
        guard let first = said.first, let first, said.allSatisfy({ $0 == first }) else { return peer }
        return first.description
    }

    /// The last address of a list that is not a trusted proxy's; nil if the list's end is unreadable, or if it contains
    /// only trusted proxies.
    private func lastUntrustedAddress(_ list: [String]) -> NumericAddress? {
        for node in list.reversed() {
            guard let address = Self.parseAddress(node) else { return nil }
            if !trustedProxies.contains(address) { return address }
        }
        return nil
    }

    /// Parses an address with an optional port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or
    /// `[2001:db8::1]:80`.
    private static func parseAddress(_ node: String) -> NumericAddress? {
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

    private static func parseXForwardedFor(_ values: [String]) -> [String] {
        values.flatMap { $0.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) }
            .map { trimmed(String($0)) }
    }

    /// The `for=` values of the elements of the header fields Forwarded, in order. An element without one gives "". The
    /// result is nil if a quotation mark is never closed.
    private static func parseForwarded(_ values: [String]) -> [String]? {
        var nodes: [String] = []
        for value in values {
            guard let elements = splitOutsideQuotes(value, at: ",") else { return nil }
            for element in elements {
                guard let pairs = splitOutsideQuotes(element, at: ";")?.map(trimmed) else { return nil }
                let pair = pairs.first { $0.lowercased().hasPrefix("for=") }
                nodes.append(unquoted(pair.map { String($0.dropFirst(4)) } ?? ""))
            }
        }
        return nodes
    }

    /// Splits a text at a separator outside quotation marks; nil if a quotation mark is never closed.
    ///
    /// It compares Unicode scalars, not characters: a stranger could put a scalar such as U+0600 before a separator,
    /// which joins the separator to another character.
    private static func splitOutsideQuotes(_ text: String, at sign: Unicode.Scalar) -> [String]? {
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
