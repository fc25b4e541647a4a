import Testing

@testable import BackupLink

@Suite struct LinkGateTests {
    static let key = BackupLinkKey(bytes: [UInt8](repeating: 7, count: 32))
    var main = BackupDatagramAuthenticator(key: key, ownSession: 11)
    var backup = BackupDatagramAuthenticator(key: key, ownSession: 22)

    @Test mutating func twoWhoKnowEachOtherAreBelieved() {
        let word = sealed(&main, .heartbeat, [1, 2, 3], to: 22)
        #expect(backup.verify(word) == .accepted(.heartbeat, payload: [1, 2, 3], from: 11))
    }

    @Test mutating func aStrangerIsGreetedNotBelieved() {
        for session in [0, 99] as [UInt64] {
            let word = sealed(&main, .heartbeat, [1], to: session)
            #expect(backup.verify(word) == .greeting(from: 11))
        }
    }

    @Test mutating func nothingIsBelievedTwice() {
        let first = sealed(&main, .heartbeat, [1], to: 22)
        let second = sealed(&main, .heartbeat, [2], to: 22)
        #expect(backup.verify(second) == .accepted(.heartbeat, payload: [2], from: 11))
        #expect(backup.verify(second) == .refused(.replayed))
        #expect(backup.verify(first) == .refused(.replayed))
    }

    @Test mutating func whatWasRecordedBeforeARestartIsNotBelievedAfterIt() {
        let recorded = sealed(&main, .heartbeat, [1], to: 22)
        var restarted = BackupDatagramAuthenticator(key: Self.key, ownSession: 23)
        #expect(restarted.verify(recorded) == .greeting(from: 11))
        // The other one restarts: its old session stays used up.
        #expect(backup.verify(recorded) == .accepted(.heartbeat, payload: [1], from: 11))
        var mainAgain = BackupDatagramAuthenticator(key: Self.key, ownSession: 12)
        let newer = sealed(&mainAgain, .heartbeat, [3], to: 22)
        #expect(backup.verify(newer) == .accepted(.heartbeat, payload: [3], from: 12))
        #expect(backup.verify(recorded) == .refused(.replayed))
    }

    @Test mutating func anEchoIsNotAnotherServer() {
        let word = sealed(&main, .heartbeat, [1], to: 11)
        #expect(main.verify(word) == .refused(.own))
    }

    @Test mutating func anyChangedByteIsRefused() {
        let word = sealed(&main, .heartbeat, Array("{\"term\":3}".utf8), to: 22)
        for offset in word.indices {
            var changed = word
            changed[offset] ^= 0x10
            #expect(backup.verify(changed) == .refused(offset < 4 ? .malformed : .forged))
        }
        for length in 0..<word.count {
            #expect(backup.verify(Array(word.prefix(length))) == .refused(length < 62 ? .malformed : .forged))
        }
        #expect(backup.verify(word + [0]) == .refused(.forged))
    }

    @Test mutating func anotherKeyIsRefused() {
        var stranger = BackupDatagramAuthenticator(
            key: BackupLinkKey(bytes: [UInt8](repeating: 8, count: 32)), ownSession: 33)
        let word = sealed(&stranger, .heartbeat, [1], to: 22)
        #expect(backup.verify(word) == .refused(.forged))
    }

    @Test mutating func nothingLongerThanTheLimitLeavesOrEnters() {
        let most = [UInt8](repeating: 0x20, count: BackupDatagramAuthenticator.mostPayloadBytes)
        let word = sealed(&main, .heartbeat, most, to: 22)
        #expect(word.count == 1_200)
        #expect(backup.verify(word) == .accepted(.heartbeat, payload: most, from: 11))
        #expect(main.sign(.heartbeat, most + [0], to: 22) == nil)
        #expect(backup.verify(word + [0]) == .refused(.oversized))
    }
}

/// The datagram that leaves through a gate; empty if it is too long.
func sealed(
    _ gate: inout BackupDatagramAuthenticator, _ kind: BackupDatagramAuthenticator.Kind, _ payload: [UInt8],
    to session: UInt64
) -> [UInt8] {
    gate.sign(kind, payload, to: session) ?? []
}
