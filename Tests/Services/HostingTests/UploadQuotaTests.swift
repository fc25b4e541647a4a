import Foundation
import Synchronization
import Testing

@testable import Catalogue
@testable import ContentStages
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Each role may fill a part of the disk; the last of the disk belongs to the show.
@Suite(.ownThreads) struct UploadQuotaTests {
    private let editor = WebPerson(id: "1", name: "Ed", role: .editor)
    private let administrator = WebPerson(id: "2", name: "Ada", role: .administrator)
    private let technician = WebPerson(id: "3", name: "Theo", role: .technician)
    private let gigabyte = 1 << 30

    @Test func theLastOfTheDiskIsTheShowLogs() {
        func refused(free: Int, whole: Int, adding bytes: Int) -> Bool {
            DiskReserve(folder: "/", readDiskSpace: { _ in (free, whole) }).refusal(adding: bytes) != nil
        }
        #expect(!refused(free: gigabyte, whole: 100 * gigabyte, adding: 100 << 20))
        #expect(refused(free: gigabyte, whole: 100 * gigabyte, adding: 600 << 20))
        #expect(refused(free: 511 << 20, whole: 100 * gigabyte, adding: 0))
        // A tenth of a small disk.
        #expect(!refused(free: 20 << 20, whole: 100 << 20, adding: 1 << 20))
        #expect(refused(free: 9 << 20, whole: 100 << 20, adding: 0))
        let answer = DiskReserve(folder: "/", readDiskSpace: { _ in (1 << 20, gigabyte) }).refusal(adding: 0)
        #expect(answer?.status == 507)
        #expect(
            answer.map { String(decoding: $0.body, as: UTF8.self) }?.contains("kept for the show") == true)
        #expect(DiskReserve(folder: NSTemporaryDirectory()).readDiskSpace(NSTemporaryDirectory()) != nil)
        #expect(DiskReserve(folder: "/nowhere").refusal(adding: 0) == nil)
    }

    @Test(arguments: UploadQuota.UploadKind.allCases)
    func eachRoleStopsAtItsQuota(kind: UploadQuota.UploadKind) async {
        let now = Mutex(UploadQuota.StoredAmount())
        func refused(_ person: WebPerson?, _ amount: UploadQuota.StoredAmount, adding: Int, bytes: Int) async
            -> Bool
        {
            now.withLock { $0 = amount }
            let quota = UploadQuota { _ in now.withLock { $0 } }
            return await quota.begin(kind, by: person, adding: adding, bytes: bytes).refusal != nil
        }
        let most = UploadQuota.limit(kind, for: .editor)
        #expect(most.count > 0 && most.bytes > 0)
        #expect(await refused(editor, .init(), adding: 1, bytes: 1) == false)
        #expect(
            await refused(editor, .init(count: most.count - 1, bytes: 0), adding: 1, bytes: 0)
                == false)
        #expect(await refused(editor, .init(count: most.count, bytes: 0), adding: 1, bytes: 0))
        #expect(await refused(editor, .init(count: 0, bytes: most.bytes), adding: 1, bytes: 1))
        // Administrators can go on where editors had to stop, and stop in the end.
        #expect(await refused(administrator, most, adding: 1, bytes: 1) == false)
        #expect(
            await refused(
                administrator, .init(count: most.count * 2, bytes: 0), adding: 1, bytes: 1))
        #expect(await refused(technician, .init(), adding: 1, bytes: 1))
        #expect(await refused(nil, .init(), adding: 1, bytes: 1))
    }

    /// One place is left; 20 uploads begin at the same time.
    @Test(arguments: UploadQuota.UploadKind.allCases)
    func theLastPlaceIsGivenOnceAndAgainWhenItsUploadIsGivenUp(kind: UploadQuota.UploadKind) async {
        let most = UploadQuota.limit(kind, for: .editor)
        let stored = Mutex(UploadQuota.StoredAmount(count: most.count - 1, bytes: most.bytes - 100))
        let quota = UploadQuota { _ in
            await Task.yield()
            return stored.withLock(\.self)
        }
        func begin() async -> UploadAdmission { await quota.begin(kind, by: editor, adding: 1, bytes: 100) }
        func admitted(_ all: [UploadAdmission]) -> Int { all.count { $0.refusal == nil } }
        var running = await withTaskGroup(of: UploadAdmission.self) { group in
            for _ in 0..<20 { group.addTask { await begin() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admitted(running) == 1)
        #expect(await begin().refusal != nil, "what has begun counts as long as it runs")
        running = []
        // A task of the group may hold its place for a moment longer.
        let isFree = await eventually {
            running = [await begin()]
            return admitted(running) == 1
        }
        #expect(isFree, "what was given up makes room")
        stored.withLock { $0.add(.init(count: 1, bytes: 100)) }
        running = []
        #expect(await begin().refusal != nil, "what was stored counts at once")
    }

    @Test func whatIsThereIsCounted() async throws {
        let stage = try await ContentStage()
        try stage.desk.assetStore.store(
            Array(repeating: 1, count: 1_000), digest: String(repeating: "a", count: 64))
        let slides = try #require(stage.desk.servedConcert).catalogueConcert.concert.pieces.flatMap(\.tracks)
            .reduce(0) { $0 + $1.slides.count }
        let total = try await stage.desk.catalogue.slideCountAndBytes()
        #expect(total.count == slides && total.bytes > slides)
        let scores = try AssetStore(folder: stage.folder + "/scores")
        let quota = UploadQuota(
            catalogue: stage.desk.catalogue, assets: stage.desk.assetStore, scores: scores)
        let refusal = try #require(
            await quota.begin(.slides, by: technician, adding: 1, bytes: 0).refusal)
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("\(slides) slides"))
    }
}
