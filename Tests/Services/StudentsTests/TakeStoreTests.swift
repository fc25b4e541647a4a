import Basics
import Catalogue
import Foundation
import Hosting
import Sound
import Testing

@testable import Students

/// A kept take is its account's alone, is whole after a crash, and is gone when it is deleted.
@Suite final class TakeStoreTests {
    private let folder = NSTemporaryDirectory() + "baton-takes-" + UUID().uuidString
    private let store: TakeStore

    init() { store = TakeStore(data: folder) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let take = Take(piece: "made", pieceName: "Made: Study", startedAt: 1_790_000_000_000)

    /// Plays a take of some seconds.
    private func played(_ owner: String, seconds: Double, closes: Bool = true) throws -> String {
        let begun = try store.begin(Self.take, owner: owner)
        let writer = try TakeWriter(folder: begun.folder, take: Self.take, rate: PracticeStage.rate)
        for block in PracticeStage.blocks(PracticeStage.playing(to: seconds), of: 1_102) {
            writer.write(.samples(block.samples[...]))
        }
        if closes { try writer.close(lostSamples: 1_102) }
        return begun.name
    }

    @Test func aTakeHoldsExactlyWhatWasPlayed() throws {
        let name = try played("ada", seconds: 3)
        let (take, sound) = try store.take(name, of: "ada")
        #expect(take.seconds == 3 && abs(take.lostSeconds - 0.1) < 0.001 && take.trouble == nil)
        let reader = try SoundFileReader(path: sound)
        var samples = [Float](repeating: 0, count: 3 * 11_025)
        let count = try samples.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
        let expected = PracticeStage.playing(to: 3).prefix(count).map { Float($0) / 32_768 }
        #expect(count > 0 && Array(samples.prefix(count)) == expected)
    }

    /// The last part of the disk is the show's. Practising goes on; see RouteRightsTests.
    @Test func onAFullDiskNoTakeBeginsAndOneThatWasBegunEnds() throws {
        let (full, free) = (
            DiskReserve(folder: "/") { _ in (0, 1 << 30) }, DiskReserve(folder: "/") { _ in nil }
        )
        #expect(throws: TakeFault.diskFull) {
            try TakeStore(data: folder, reserve: full).begin(Self.take, owner: "ada")
        }
        #expect(store.list(of: "ada").isEmpty)
        let begun = try TakeStore(data: folder, reserve: free).begin(Self.take, owner: "ada")
        let writer = try TakeWriter(
            folder: begun.folder, take: Self.take, rate: PracticeStage.rate, reserve: full)
        for block in PracticeStage.blocks(PracticeStage.playing(to: 5), of: 1_102) {
            writer.write(.samples(block.samples[...]))
        }
        #expect(writer.trouble == TakeFault.diskFull.sentence)
        try writer.close(lostSamples: 0)
        let kept = try #require(store.list(of: "ada").first?.take.seconds)
        #expect((2...3).contains(kept), "what was written is whole")
    }

    @Test func nobodyElseFindsIt() throws {
        let name = try played("ada", seconds: 1)
        #expect(store.list(of: "ada").map(\.name) == [name] && store.list(of: "ben").isEmpty)
        #expect(throws: TakeFault.missing) { try store.take(name, of: "ben") }
        #expect(throws: TakeFault.missing) { try store.delete(name, of: "ben") }
        #expect(throws: TakeFault.missing) { try store.take("../" + name, of: "ada") }
    }

    @Test func aDeletedTakeIsGone() throws {
        let name = try played("ada", seconds: 1)
        let (_, sound) = try store.take(name, of: "ada")
        try store.delete(name, of: "ada")
        #expect(store.list(of: "ada").isEmpty && !FileManager.default.fileExists(atPath: sound))
    }

    @Test func takesOfAnErasedAccountAreGoneAlsoThoseThatArriveLater() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        let ada = try await catalogue.addAccount(named: "ada", role: .musician, passwordHash: "x")
        let (hers, his) = (try played(ada.id.rawValue, seconds: 1), try played("ben", seconds: 1))
        let erasures = TakeErasures(catalogue: catalogue, takes: store)
        await erasures.carryOut()
        #expect(store.list(of: ada.id.rawValue).map(\.name) == [hers])
        try await catalogue.removeAccount(ada.id)
        await erasures.carryOut()
        #expect(store.list(of: ada.id.rawValue).isEmpty && store.list(of: "ben").map(\.name) == [his])
        // A copy from the other server that was on its way.
        _ = try played(ada.id.rawValue, seconds: 1)
        await erasures.carryOut(arrived: ["x"])
        #expect(store.list(of: ada.id.rawValue).isEmpty)
        try await erasures.note(his, of: "ben")
        await erasures.carryOut()
        #expect(store.list(of: "ben").isEmpty)
    }

    @Test func aTakeThatIsBeingPlayedIsNotCopied() throws {
        let name = try played("ada", seconds: 1)
        _ = try played("ben", seconds: 1, closes: false)
        let items = store.replicatedFolder { _ in }.listItems()
        #expect(items.map(\.name) == [TakeStore.folderName(of: "ada") + "/" + name])
        #expect(items.first?.files.count == 2)
    }

    @Test func aTakeThatACrashInterruptedIsCompleted() throws {
        let name = try played("ada", seconds: 8, closes: false)
        #expect(try store.take(name, of: "ada").take.seconds == nil)
        store.completeInterrupted(before: Self.take.startedAt + 1)
        let take = try store.take(name, of: "ada").take
        #expect((take.seconds ?? 0) > 4 && take.trouble != nil, "\(take)")
    }

    @Test func aTakeThatBeganAfterTheStartIsLeftAlone() throws {
        let name = try store.begin(Self.take, owner: "ada").name
        store.completeInterrupted(before: Self.take.startedAt)
        #expect(try store.take(name, of: "ada").take.seconds == nil)
        store.completeInterrupted(before: Self.take.startedAt + 1)
        #expect(store.list(of: "ada").isEmpty)
    }

    @Test func aTakeThatCannotBeRepairedNowIsKept() throws {
        let begun = try store.begin(Self.take, owner: "ada")
        // A folder in place of a file, so that it cannot be opened.
        try FileManager.default.createDirectory(
            atPath: begun.folder + "/" + Take.soundFile, withIntermediateDirectories: false)
        store.completeInterrupted(before: Self.take.startedAt + 1)
        #expect(store.list(of: "ada").map(\.name) == [begun.name])
    }
}
