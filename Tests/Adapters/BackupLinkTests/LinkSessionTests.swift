import Testing

@testable import BackupLink

@Suite struct LinkSessionTests {
    static let key = BackupLinkKey(bytes: [UInt8](repeating: 7, count: 32))

    static func pair() -> (listening: BackupLinkSession, dialling: BackupLinkSession) {
        (
            BackupLinkSession(side: .listening, key: key, challenge: [UInt8](repeating: 1, count: 16)),
            BackupLinkSession(side: .dialling, key: key, challenge: [UInt8](repeating: 2, count: 16))
        )
    }

    /// Both after their proofs, and the bytes each sent for it.
    static func opened() throws -> (
        listening: BackupLinkSession, dialling: BackupLinkSession, heard: [[UInt8]]
    ) {
        var (listening, dialling) = pair()
        let challenge = listening.openingBytes()
        guard case .send(let answer)? = dialling.receive(challenge).first else { throw Broken() }
        let events = listening.receive(answer)
        guard case .send(let proof)? = events.first, events.last == .authenticated else { throw Broken() }
        guard dialling.receive(proof) == [.authenticated] else { throw Broken() }
        return (listening, dialling, [challenge, answer, proof])
    }
    struct Broken: Error {}

    @Test func twoWithTheSameKeyOpen() throws {
        let (listening, dialling, _) = try Self.opened()
        #expect(listening.isOpen && dialling.isOpen)
    }

    @Test func aWebPageIsRefusedAtItsFirstLine() {
        var (listening, _) = Self.pair()
        let page = Array("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nbeat\nhave 1\n".utf8)
        #expect(listening.receive(page) == [.refused(.malformed)] && !listening.isOpen)
    }

    @Test func framesArriveHoweverTheyAreCut() throws {
        let frames: [BackupLinkFrame] = [
            .requestLog(sequence: 17, digest: "00ff"), .restartCopy, .linesAfter(sequence: 3), .keepAlive,
            .confirmed(sequence: .max),
            .line(BackupLogLine(sequence: 18, bytes: Array("{\"e\":\"a b  c\"}".utf8))),
            .line(BackupLogLine(sequence: 19, bytes: [])),
        ]
        var (listening, dialling, heard) = try Self.opened()
        let stream = frames.flatMap { listening.sign($0) }
        for cut in 0...stream.count {
            var reader = dialling
            let events = reader.receive(stream[..<cut]) + reader.receive(stream[cut...])
            #expect(events == frames.map { .frame($0) }, "cut at \(cut)")
        }
        let single = stream.flatMap { dialling.receive([$0]) }
        #expect(single == frames.map { .frame($0) })
        // The proofs too.
        for cut in 0...heard[1].count {
            var (listening, _) = Self.pair()
            let events = listening.receive(heard[1][..<cut]) + listening.receive(heard[1][cut...])
            #expect(events.last == .authenticated)
        }
        heard = []
    }

    @Test func whoDoesNotKnowTheKeyIsRefused() throws {
        var (listening, _) = Self.pair()
        var stranger = BackupLinkSession(
            side: .dialling, key: BackupLinkKey(bytes: [9]), challenge: [UInt8](repeating: 2, count: 16))
        guard case .send(let answer)? = stranger.receive(listening.openingBytes()).first else {
            throw Broken()
        }
        #expect(listening.receive(answer) == [.refused(.forged)])
        // A recorded handshake does not open another connection.
        let (_, _, heard) = try Self.opened()
        var later = BackupLinkSession(
            side: .listening, key: Self.key, challenge: [UInt8](repeating: 3, count: 16))
        #expect(later.receive(heard[1]) == [.refused(.forged)])
        // A false main one is refused as well, and its own words do not prove it.
        var dialling = Self.pair().dialling
        guard case .send(let own)? = dialling.receive(heard[0]).first else { throw Broken() }
        #expect(dialling.receive(own.suffix(65)) == [.refused(.forged)])
    }

    @Test func framesChangedLeftOutOrRepeatedAreRefused() throws {
        var (listening, dialling, _) = try Self.opened()
        let first = listening.sign(.confirmed(sequence: 1))
        let second = listening.sign(.confirmed(sequence: 2))
        var reader = dialling
        #expect(reader.receive(second) == [.refused(.forged)])
        #expect(reader.receive(first).isEmpty)
        reader = dialling
        #expect(reader.receive(first + first) == [.frame(.confirmed(sequence: 1)), .refused(.forged)])
        for offset in first.indices.dropLast() {
            var changed = first
            changed[offset] ^= 1
            reader = dialling
            let events = reader.receive(changed)
            #expect(events.count == 1 && events != [.frame(.confirmed(sequence: 1))], "byte \(offset)")
        }
        // Nor does one side's word count as the other's.
        #expect(listening.receive(second) == [.refused(.forged)])
        _ = dialling.sign(.keepAlive)
    }

    @Test func aStrangerCannotFillTheMemory() {
        var (listening, _) = Self.pair()
        #expect(listening.receive([UInt8](repeating: 0x61, count: 256)).isEmpty)
        #expect(listening.receive([0x61]) == [.refused(.oversized)])
        var other = Self.pair().listening
        #expect(other.receive(Array("GET / HTTP/1.1\n".utf8)) == [.refused(.malformed)])
        var dialling = Self.pair().dialling
        #expect(dialling.receive(Array("baton-link 2 abc\n".utf8)) == [.refused(.otherVersion)])
    }
}
