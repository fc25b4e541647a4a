import Basics
import Following
import Testing
import WebServer

@testable import Students

/// Sessions have owners, secrets, a limit and an end.
@Suite struct PracticeRegisterTests {
    private let register: PracticeRegister
    private let shared: PracticePieces.SharedProgramme

    init() throws {
        register = try PracticeRegister(limits: .init(total: 4, reserve: 1, perAddress: 3, perAccount: 2))
        shared = PracticePieces.SharedProgramme(try PracticeStage.programme())
    }

    private func begin(_ account: String, _ address: String = "10.0.0.1", staff: Bool = false) throws
        -> PracticeRegister.Entry
    {
        let lease = try register.takePlace(
            ResourceQuota.Holder(
                address: address, account: account, trustLevel: staff ? .staff : .anybody))
        return register.add(
            piece: "made", shared: shared, rate: PracticeStage.rate, owner: account, lease: lease)
    }

    @Test func onlyItsAccountWithItsSecretFindsASession() throws {
        let entry = try begin("ada")
        #expect(register.entry(entry.id, secret: entry.secret.text, owner: "ada") != nil)
        #expect(register.entry(entry.id, secret: entry.secret.text, owner: "ben") == nil)
        #expect(register.entry(entry.id, secret: "wrong", owner: "ada") == nil)
        #expect(entry.secret.text.utf8.count == SoundBatch.secretBytes)
    }

    @Test func nobodyTakesAllPlaces() throws {
        _ = try begin("ada")
        _ = try begin("ada")
        #expect(throws: ResourceQuota.Refusal.accountHasItsShare(2)) { try begin("ada", "10.0.0.2") }
        let third = try begin("ben")
        #expect(throws: ResourceQuota.Refusal.addressHasItsShare(3)) { try begin("cleo") }
        #expect(throws: ResourceQuota.Refusal.full) { try begin("cleo", "10.0.0.2") }
        _ = try begin("theo", "10.0.0.3", staff: true)
        register.remove(third.id)
        _ = try begin("cleo", "10.0.0.2")
        #expect(register.count == 4)
    }

    @Test func aSessionWithoutSoundEnds() throws {
        let start = ContinuousClock.now
        let entry = try begin("ada")
        #expect(register.removeIdle(now: start + .seconds(60)).isEmpty)
        let later = start + PracticeRegister.idleLimit + .seconds(1)
        #expect(register.removeIdle(now: later).map(\.id) == [entry.id])
        #expect(register.count == 0)
        #expect(register.entry(entry.id, secret: entry.secret.text, owner: "ada") == nil)
    }
}
