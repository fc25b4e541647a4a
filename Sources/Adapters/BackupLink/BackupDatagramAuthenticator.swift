/// Authenticates the other server's datagrams and accepts each of them once. Uses no clock and no socket.
///
/// A datagram is `BTNL`, version, kind, the sender's session, the receiver's session and a rising number (8 bytes each,
/// most significant first), the payload, and 32 bytes of HMAC-SHA256 over all of these. Each run of a server has a
/// random session. A datagram is accepted only if it names *our* session, so that a recording of an earlier run cannot
/// be replayed. An authentic datagram that names another session is a greeting: it is answered once, and its sender
/// then learns our session from the answer.
struct BackupDatagramAuthenticator {
    static let mostDatagramBytes = 1_200
    static let protocolVersion: UInt8 = 1
    static let mostPayloadBytes = mostDatagramBytes - headerBytes - authenticationCodeBytes

    enum Kind: UInt8 { case hello = 0, heartbeat = 1 }

    enum Verdict: Equatable {
        case accepted(Kind, payload: [UInt8], from: UInt64)
        /// The datagram is authentic, but its sender does not know our session yet.
        case greeting(from: UInt64)
        case refused(Refusal)
    }

    enum Refusal: Equatable { case oversized, malformed, otherVersion(UInt8), forged, replayed, own }

    let ownSession: UInt64
    private let key: BackupLinkKey
    private var sentDatagramCount: UInt64 = 0
    /// The highest number accepted from each session. Old sessions are never removed, so that none of their datagrams
    /// can be replayed.
    private var highestAcceptedNumbers: [UInt64: UInt64] = [:]

    init(key: BackupLinkKey, ownSession: UInt64) {
        self.key = key
        self.ownSession = ownSession
    }

    /// Makes a datagram with its authentication code.
    /// - Parameter peer: the receiver's session; 0 if none is known.
    mutating func sign(_ kind: Kind, _ payload: [UInt8], to peer: UInt64) -> [UInt8]? {
        guard payload.count <= Self.mostPayloadBytes else { return nil }
        sentDatagramCount += 1
        var datagram = Self.magicBytes + [Self.protocolVersion, kind.rawValue]
        for number in [ownSession, peer, sentDatagramCount] { datagram += Self.bigEndianBytes(of: number) }
        datagram += payload
        return datagram + key.authenticationCode(datagram)
    }

    mutating func verify(_ datagram: [UInt8]) -> Verdict {
        guard datagram.count <= Self.mostDatagramBytes else { return .refused(.oversized) }
        guard datagram.count >= Self.headerBytes + Self.authenticationCodeBytes,
            datagram.starts(with: Self.magicBytes)
        else {
            return .refused(.malformed)
        }
        let signed = Array(datagram.dropLast(Self.authenticationCodeBytes))
        guard
            BackupLinkKey.equalInConstantTime(
                key.authenticationCode(signed), datagram.suffix(Self.authenticationCodeBytes))
        else {
            return .refused(.forged)
        }
        guard signed[4] == Self.protocolVersion else { return .refused(.otherVersion(signed[4])) }
        guard let kind = Kind(rawValue: signed[5]) else { return .refused(.malformed) }
        let sender = Self.bigEndianNumber(in: signed, at: 6)
        guard sender != ownSession else { return .refused(.own) }
        guard Self.bigEndianNumber(in: signed, at: 14) == ownSession else { return .greeting(from: sender) }
        let number = Self.bigEndianNumber(in: signed, at: 22)
        guard number > highestAcceptedNumbers[sender, default: 0] else { return .refused(.replayed) }
        highestAcceptedNumbers[sender] = number
        return .accepted(kind, payload: Array(signed.dropFirst(Self.headerBytes)), from: sender)
    }

    private static let magicBytes = Array("BTNL".utf8)
    private static let headerBytes = 30
    private static let authenticationCodeBytes = 32

    private static func bigEndianBytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func bigEndianNumber(in bytes: [UInt8], at offset: Int) -> UInt64 {
        bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
