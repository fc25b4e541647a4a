/// The authenticated session of one stream connection: proves the peer's identity and protects each frame. It does not
/// use the socket.
///
/// Both sides prove that they know the key. The listening side sends a random challenge. The connecting side sends its
/// own challenge and a code over both challenges. The listening side answers with another code over both. After that
/// each line is a code of 16 bytes in hexadecimal, a space and a ``BackupLinkFrame``. The codes use a key of this
/// connection and count the lines of each direction, so that no line can be changed, dropped or repeated.
struct BackupLinkSession {
    enum Side { case listening, dialling }

    enum Event: Equatable {
        case send([UInt8])
        /// The other side has proved that it knows the key; frames may be sent from now on.
        case authenticated
        case frame(BackupLinkFrame)
        /// The connection must be closed; the refusal's reason is counted.
        case refused(Refusal)
    }

    enum Refusal: Equatable, Sendable { case malformed, otherVersion, forged, oversized }

    private enum Stage { case greeting, proving, open, refused }

    /// The maximum length in bytes of a line from an unknown peer.
    static let mostGreetingBytes = 256
    /// The maximum length in bytes of a frame from an authenticated peer.
    static let mostFrameBytes = 16 << 20

    private let side: Side
    private let key: BackupLinkKey
    private let ownChallenge: [UInt8]
    private var otherChallenge: [UInt8] = []
    private var stage = Stage.greeting
    private var streamKey: BackupLinkKey
    private var receiveBuffer: [UInt8] = []
    private var unreadStart = 0
    private var sentFrameCount: UInt64 = 0
    private var receivedFrameCount: UInt64 = 0

    /// Starts the session of a new connection.
    /// - Parameter challenge: 16 random bytes, never used before.
    init(side: Side, key: BackupLinkKey, challenge: [UInt8]) {
        self.side = side
        self.key = key
        self.ownChallenge = Hexadecimal.encodeAsASCIIBytes(challenge)
        streamKey = key
    }

    var isOpen: Bool { stage == .open }

    /// Returns the first bytes to send on a new connection.
    func openingBytes() -> [UInt8] {
        side == .listening ? Self.versionPrefix + ownChallenge + [0x0A] : []
    }

    mutating func receive(_ bytes: some Collection<UInt8>) -> [Event] {
        guard stage != .refused else { return [] }
        var searched = receiveBuffer.count
        receiveBuffer += bytes
        var events: [Event] = []
        while stage != .refused, let end = receiveBuffer[searched...].firstIndex(of: 0x0A) {
            let line = receiveBuffer[unreadStart..<end]
            guard line.count <= longestLine else { break }
            unreadStart = end + 1
            searched = unreadStart
            events += receive(line: line)
        }
        if stage != .refused, receiveBuffer.count - unreadStart > longestLine { events += refuse(.oversized) }
        if stage == .refused { receiveBuffer = [] } else { receiveBuffer.removeFirst(unreadStart) }
        unreadStart = 0
        return events
    }

    /// Encodes a frame for sending, with its authentication code. Call this only while ``isOpen``.
    mutating func sign(_ frame: BackupLinkFrame) -> [UInt8] {
        let body = frame.bytes
        let code = authenticationCode(of: body[...], from: side, number: sentFrameCount)
        sentFrameCount += 1
        return code + [0x20] + body + [0x0A]
    }

    private var longestLine: Int { stage == .open ? Self.mostFrameBytes : Self.mostGreetingBytes }

    private mutating func receive(line: ArraySlice<UInt8>) -> [Event] {
        switch (stage, side) {
        case (.greeting, .dialling):
            guard line.starts(with: Self.protocolPrefix) else { return refuse(.malformed) }
            guard line.starts(with: Self.versionPrefix) else { return refuse(.otherVersion) }
            otherChallenge = Array(line.dropFirst(Self.versionPrefix.count))
            guard otherChallenge.count == ownChallenge.count else { return refuse(.malformed) }
            stage = .proving
            return [.send(ownChallenge + [0x20] + proof("dialling") + [0x0A])]
        case (.greeting, .listening):
            let parts = line.split(separator: 0x20)
            guard parts.count == 2, parts[0].count == ownChallenge.count else { return refuse(.malformed) }
            otherChallenge = Array(parts[0])
            guard BackupLinkKey.equalInConstantTime(parts[1], proof("dialling")) else {
                return refuse(.forged)
            }
            let answer = proof("listening") + [0x0A]
            completeHandshake()
            return [.send(answer), .authenticated]
        case (.proving, _):
            guard BackupLinkKey.equalInConstantTime(line, proof("listening")) else { return refuse(.forged) }
            completeHandshake()
            return [.authenticated]
        case (.open, _): return takeFrame(line)
        case (.refused, _): return []
        }
    }

    private mutating func takeFrame(_ line: ArraySlice<UInt8>) -> [Event] {
        guard line.count > 33, line[line.startIndex + 32] == 0x20 else { return refuse(.malformed) }
        let body = line.dropFirst(33)
        let other: Side = side == .listening ? .dialling : .listening
        guard
            BackupLinkKey.equalInConstantTime(
                authenticationCode(of: body, from: other, number: receivedFrameCount), line.prefix(32))
        else {
            return refuse(.forged)
        }
        receivedFrameCount += 1
        guard let frame = BackupLinkFrame(bytes: body) else { return refuse(.malformed) }
        return [.frame(frame)]
    }

    private mutating func completeHandshake() {
        stage = .open
        streamKey = BackupLinkKey(bytes: proof("frames"))
    }

    private mutating func refuse(_ why: Refusal) -> [Event] {
        stage = .refused
        return [.refused(why)]
    }

    /// Computes the code that proves knowledge of the key.
    /// - Parameter word: the purpose of the proof, so that a proof for one purpose cannot serve another.
    private func proof(_ word: String) -> [UInt8] {
        let listener = side == .listening ? ownChallenge : otherChallenge
        let dialler = side == .listening ? otherChallenge : ownChallenge
        return Hexadecimal.encodeAsASCIIBytes(
            key.authenticationCode(Array("baton-link \(word) ".utf8), listener, dialler))
    }

    private func authenticationCode(of body: ArraySlice<UInt8>, from side: Side, number: UInt64) -> [UInt8] {
        let opening = Array("\(side == .listening ? "l" : "d")\(number) ".utf8)
        return Hexadecimal.encodeAsASCIIBytes(streamKey.authenticationCode(opening, Array(body)).prefix(16))
    }

    private static let protocolPrefix = Array("baton-link ".utf8)
    private static let versionPrefix = Array("baton-link 1 ".utf8)
}
