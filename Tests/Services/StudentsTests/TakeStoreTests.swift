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
        write(PracticeStage.playing(to: seconds), by: writer)
        if closes { try writer.close(lostSeconds: 0.1) }
        return begun.name
    }

    /// Writes sound in blocks of a tenth of a second.
    private func write(_ samples: [Float], by writer: TakeWriter) {
        for start in stride(from: 0, to: samples.count, by: 1_102) {
            writer.write(samples[start..<min(start + 1_102, samples.count)])
        }
    }

    @Test func aTakeHoldsExactlyWhatWasPlayed() throws {
        let name = try played("ada", seconds: 3)
        let (take, sound) = try store.take(name, of: "ada")
        #expect(take.seconds == 3 && abs(take.lostSeconds - 0.1) < 0.001 && take.trouble == nil)
        let reader = try SoundFileReader(path: sound)
        var samples = [Float](repeating: 0, count: 3 * 11_025)
        let count = try samples.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
        let expected = PracticeStage.playing(to: 3).prefix(count)
        #expect(count > 0 && samples.prefix(count) == expected)
    }

    /// The last part of the disk is the show's. Practising goes on without the server.
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
        write(PracticeStage.playing(to: 5), by: writer)
        #expect(writer.trouble == TakeFault.diskFull.sentence)
        try writer.close(lostSeconds: 0)
        let kept = try #require(store.list(of: "ada").first?.take.seconds)
        #expect((2...3).contains(kept), "what was written is whole")
    }

    @Test func aTakeIsWhatWasSent() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/sent.wav"
        let file = try SoundFileWriter(path: path, rate: PracticeStage.rate)
        try file.write(PracticeStage.playing(to: 3))
        try file.close()
        let name = try store.keep(Self.take, sound: path, lostSeconds: 99, owner: "ada") { _ in }
        let kept = try store.take(name, of: "ada").take
        #expect(kept.seconds == 3 && kept.lostSeconds == 3 && kept.startedAt == Self.take.startedAt)
    }

    @Test func whatIsNoSoundLeavesNothing() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/sent.wav"
        for content in ["", "RIFF", "no sound at all"] {
            try Data(content.utf8).write(to: URL(filePath: path))
            #expect(throws: TakeFault.self) {
                try store.keep(Self.take, sound: path, lostSeconds: 0, owner: "ada") { _ in }
            }
        }
        #expect(store.list(of: "ada").isEmpty)
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

    @Test func aTakeThatIsBeingWrittenIsNotCopied() throws {
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
