import CSodium

/// Computes HMAC with SHA-256: a digest that only the holders of a key can compute.
/// - Source: RFC 2104 and RFC 4231; computed by libsodium.
public struct HMACSHA256: Sendable {
    /// The state of HMAC after the key has been absorbed and before the first byte of a message.
    private let keyedInitialState: crypto_auth_hmacsha256_state

    /// Prepares the computation with a key.
    /// - Parameter key: a key of any length.
    public init(key: [UInt8]) {
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        keyedInitialState = state
    }

    /// Returns the HMAC of all parts, one after the other; 32 bytes.
    public func authenticationCode(_ parts: [[UInt8]]) -> [UInt8] {
        var state = keyedInitialState
        for part in parts { crypto_auth_hmacsha256_update(&state, part, UInt64(part.count)) }
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        crypto_auth_hmacsha256_final(&state, &code)
        return code
    }
}
