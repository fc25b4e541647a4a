import Platform
import Synchronization
import Testing

@testable import TestHelpers

@Suite(.ownThreads) struct PasswordHasherTests {
    let hasher = PasswordHasher(cost: .least)

    @Test func rightPassphraseIsRightAndEveryOtherWrong() async throws {
        let hash = try await hasher.hash(try Passphrase(tried: "correct horse battery"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(
            try await hasher.verify(try Passphrase(tried: "correct horse battery"), against: hash) == .right)
        for other in ["correct horse batterz", "Correct horse battery", "correct horse battery ", ""] {
            #expect(try await hasher.verify(try Passphrase(tried: other), against: hash) == .wrong)
        }
    }

    @Test func twoHashesOfOnePassphraseDiffer() async throws {
        let passphrase = try Passphrase(tried: "correct horse battery")
        #expect(try await hasher.hash(passphrase) != hasher.hash(passphrase))
    }

    @Test(arguments: [
        "", "plain", "$argon2id$", String(repeating: "x", count: 500), "$argon2id$v=19$m=8\u{0}",
    ])
    func damagedHashIsWrongNotACrash(hash: String) async throws {
        #expect(try await hasher.verify(try Passphrase(tried: "anything"), against: hash) == .wrong)
    }

    /// Four terabytes, which no system gives: nobody can tell then whether the passphrase is right.
    @Test func wantOfMemoryIsNoWrongPassphrase() async throws {
        let hash = try await hasher.hash(try Passphrase(tried: "correct horse battery"))
        let huge = hash.replacing("m=8,", with: "m=4294967295,")
        await #expect(throws: PasswordError.outOfMemory(bytes: HashingCost.least.memoryBytes)) {
            try await hasher.verify(try Passphrase(tried: "correct horse battery"), against: huge)
        }
        // And the next one that can be checked is.
        #expect(try await hasher.verify(try Passphrase(tried: "another"), against: hash) == .wrong)
    }

    @Test func everyHashOfAnotherCostIsOutdated() async throws {
        let dearer = PasswordHasher(cost: HashingCost(memoryBytes: 16_384, passes: 2))
        let passphrase = try Passphrase(tried: "correct horse battery")
        let hash = try await hasher.hash(passphrase)
        #expect(try await dearer.verify(passphrase, against: hash) == .rightButOutdated)
        #expect(try await dearer.verify(passphrase, against: try await dearer.hash(passphrase)) == .right)
    }

    @Test func nobodyIsAlwaysWrong() async throws {
        #expect(try await hasher.verify(try Passphrase(tried: ""), against: nil) == .wrong)
    }

    @Test func unknownNameTakesAsLongAsAKnownOne() async throws {
        let hasher = PasswordHasher(cost: HashingCost(memoryBytes: 4_194_304, passes: 1))
        let passphrase = try Passphrase(tried: "correct horse battery")
        let hash = try await hasher.hash(passphrase)
        func time(against hash: String?) async throws -> Duration {
            try await ContinuousClock().measure { _ = try await hasher.verify(passphrase, against: hash) }
        }
        // Other work only ever adds time, so the shortest of many tells, and of more on a busy machine; by turns, so
        // that both meet the same one.
        var (known, unknown) = (Duration.seconds(60), Duration.seconds(60))
        var areAlike: Bool { unknown > known / 2 && unknown < known * 2 }
        let end = ContinuousClock.now + .seconds(60)
        for round in 0..<2_000 where round < 25 || (!areAlike && .now < end) {
            known = min(known, try await time(against: hash))
            unknown = min(unknown, try await time(against: nil))
        }
        #expect(areAlike, "known \(known), unknown \(unknown)")
    }

    @Test func aFloodIsRefusedNotQueued() async throws {
        let hasher = PasswordHasher(
            cost: HashingCost(memoryBytes: 8_388_608, passes: 3), atOnce: 2, waitingLimit: 4)
        let passphrase = try Passphrase(tried: "correct horse battery")
        let hash = try await hasher.hash(passphrase)
        let outcomes = await withTaskGroup(of: PasswordError?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(PasswordError) {
                        _ = try await hasher.verify(passphrase, against: hash)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains { $0 == .tooManySignInsWaiting(waiting: 4) })
        #expect(outcomes.count { $0 == nil } >= 4)
        #expect(try await hasher.verify(passphrase, against: hash) == .right)
    }
}
