import Catalogue
import Concert
import Diary
import Foundation
import Hosting
import Podium
import Testing

@testable import DiaryKeeping
@testable import Performance
@testable import ShowLog
@testable import ShowStages
@testable import TestHelpers

/// The entry of an evening, from the show's log alone.
@Suite(.ownThreads) struct EveningEntryTests {
    private static let vienna = TimeZone(identifier: "Europe/Vienna") ?? .gmt

    private func bar(_ played: Int, _ at: Int64, _ seconds: Double? = nil) -> EveningAccount.Bar {
        .init(printed: played + 1, played: played, at: at, seconds: seconds, referenceSeconds: 1)
    }

    private func playing(
        _ name: String, _ from: Int64, _ to: Int64, encore: Bool = false, folder: String = "piece"
    ) -> EveningAccount.Playing {
        let parts = EveningAccount.Playing.parts(of: name)
        return EveningAccount.Playing(
            folder: folder, name: name, composer: parts.composer, work: parts.work, movement: parts.movement,
            from: from, to: to, isEncore: encore, barCount: 2,
            bars: [bar(0, from, Double(to - from) / 2_000), bar(1, (from + to) / 2)], confidence: 0.9)
    }

    private var account: EveningAccount {
        var account = EveningAccount()
        (account.show, account.title, account.started) = (
            "2026-11-23-190000-Gala", "Gala", "2026-11-23T18:00:00Z"
        )
        account.playings = [
            playing("Mahler, Symphony No. 1: I", 60_000, 120_000),
            playing("Mahler, Symphony No. 1: II", 130_000, 190_000),
            playing("Strauss, Polka", 900_000, 960_000, encore: true),
        ]
        account.intermissions = [.init(from: 200_000, to: 800_000)]
        account.interventions = [.init(at: 100_000, who: "anna", what: "goto 7", refused: nil)]
        account.servers = [.init(name: "anna", role: "technician")]
        return account
    }

    @Test func anEntryHasWhatWasPlayedInItsOrderWithTheHallsOwnTime() throws {
        let entry = try #require(EveningEntry(account, timeZone: Self.vienna)).programme
        #expect(entry.items.map(\.title) == ["Symphony No. 1", "Symphony No. 1", "Intermission", "Polka"])
        #expect(entry.items.map(\.movements) == [["I"], ["II"], [], []])
        #expect(entry.items.map(\.isEncore) == [false, false, false, true])
        #expect(entry.items.map(\.kind) == [.work, .work, .interval, .work])
        #expect(
            entry.concerts[0].date.description == "2026-11-23"
                && entry.concerts[0].time?.description == "19:01")
        #expect(entry.concerts[0].endTime?.description == "19:16")
        #expect(entry.visibility == .proposed && entry.servedBy == ["anna"])
        #expect(entry.items[0].heard?.interventions.map(\.what) == ["goto 7"])
        #expect(entry.items[1].heard?.interventions == [])
        #expect(entry.items[2].heard?.lengthSeconds == 600)
        #expect(entry.provenance.origin(of: "items/0/title") == .heard)
        #expect(entry.isUntouchedProposal)
    }

    @Test func thePeopleOfTheEveningPerformEachWork() throws {
        var account = account
        account.people = [
            Performer(name: "Anna Berg", role: "Dirigentin"), Performer(name: "Bo Ek", role: "violin"),
            Performer(name: "The choir"),
        ]
        let entry = try #require(EveningEntry(account, timeZone: Self.vienna)).programme
        for item in entry.items {
            #expect(item.conductors == (item.kind == .work ? ["Anna Berg"] : []))
            #expect(item.soloists.map(\.name) == (item.kind == .work ? ["Bo Ek", "The choir"] : []))
        }
        #expect(entry.items[0].soloists.map(\.instrument) == ["violin", nil])
        // The entry may still be written again.
        #expect(entry.isUntouchedProposal)
    }

    @Test func anEncoreThatBeganAnotherRunLeavesTheEntryAndWhatAPersonTypedStays() throws {
        let proposed = try #require(EveningEntry(account, timeZone: Self.vienna)).programme
        var edited = proposed
        edited.title = "Our Gala"
        edited.provenance.set(.typed, for: "title")
        var later = account
        later.playings.removeLast()
        let entry = try #require(EveningEntry(later, timeZone: Self.vienna))
        let merged = try #require(entry.programme(after: edited))
        #expect(merged.title == "Our Gala")
        #expect(merged.items.map(\.title) == ["Symphony No. 1", "Symphony No. 1", "Intermission"])
        #expect(merged.concerts[0].endTime == entry.programme.concerts[0].endTime)
        // An encore that a person has edited is that person's.
        edited.items[3].title = "Annen-Polka"
        edited.provenance.set(.typed, for: "items/3/title")
        #expect(entry.programme(after: edited)?.items.count == 4)
    }

    @Test func movementsOfAWorkStandTogether() throws {
        let groups = try #require(EveningEntry(account, timeZone: Self.vienna)).programme.workGroups
        #expect(groups.map(\.title) == ["Symphony No. 1", "Polka"])
        #expect(groups.map(\.items) == [[0, 1], [3]])
    }

    @Test func anEveningWithoutMusicHasNoEntry() {
        var silent = account
        silent.playings = []
        #expect(EveningEntry(silent, timeZone: Self.vienna) == nil)
    }

    @Test func aShowsLogGivesTheSameAccountEachTime() async throws {
        let stage = try ServeStage(madeCourse())
        try stage.start()
        for played in 0..<4 {
            stage.hear(played)
            #expect(await stage.waitForMeasure(played))
        }
        try await stage.give("intermission on")
        try await stage.give("intermission off")
        try await stage.give("piece 2")
        for played in 0..<3 {
            stage.hear(played, piece: 1)
            #expect(await stage.waitForMeasure(played))
        }
        stage.stop()
        let show = stage.show.recorder.writer.showFolder
        let account = try #require(EveningAccount.runs(ofShow: show).first)
        #expect(account.playings.map(\.folder) == ["melody-1", "melody-2"])
        #expect(account.playings.map { $0.bars.map(\.printed) } == [[1, 2, 3, 4], [1, 2, 3]])
        #expect(account.playings.allSatisfy { !$0.isEncore && $0.confidence ?? 0 > 0.9 && $0.to >= $0.from })
        #expect(account.playings[0].bars.prefix(2).allSatisfy { $0.seconds != nil })
        #expect(account.intermissions.count == 1 && account.intermissions[0].to != nil)
        #expect(account.interventions.map(\.what) == ["intermission on", "intermission off", "piece 2"])
        #expect(account.servers == [.init(name: "anna", role: "technician")])
        let again = try #require(EveningAccount.runs(ofShow: show).first)
        #expect(again == account)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(again) == encoder.encode(account))
        #expect(try JSONDecoder().decode(EveningAccount.self, from: encoder.encode(account)) == account)
    }

    @Test func anEntryThatAPersonRemovedStaysAway() async throws {
        let stage = try ServeStage(madeCourse())
        try stage.start()
        for played in 0..<3 {
            stage.hear(played)
            #expect(await stage.waitForMeasure(played))
        }
        stage.stop()
        let (data, show) = (try ServeFolder(), stage.show.recorder.writer.showFolder)
        let name = URL(fileURLWithPath: show).lastPathComponent
        try FileManager.default.createDirectory(
            atPath: data.path + "/shows", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: show, toPath: data.path + "/shows/" + name)
        let store = try DiaryStore(path: data.path + "/diary.sqlite")
        for isRemoved in [false, true] {
            let keeper = EveningKeeper(store: store, data: data.path, timeZone: .gmt) { _ in }
            await keeper.proposeEntries()
            let entry = try await store.programme(EveningEntry.id(ofShow: name))
            #expect((entry == nil) == isRemoved)
            try await store.removeProgramme(EveningEntry.id(ofShow: name))
        }
        withExtendedLifetime(data) {}
    }

    @Test func twoEveningsLieSideBySideBarByBar() throws {
        func heard(_ onsets: [Double]) -> ConcertProgramme {
            let bars = onsets.enumerated().map {
                HeardPerformance.Bar(played: $0.offset, printed: $0.offset + 1, seconds: $0.element)
            }
            let date = CalendarDate("2026-11-23")
            return ConcertProgramme(
                id: "e", ensemble: "house", concerts: date.map { [DiaryConcert(id: "c", date: $0)] } ?? [],
                items: [
                    ProgrammeItem(
                        composer: "Bach", title: "Prelude",
                        heard: HeardPerformance(
                            show: "s", model: "m", startMilliseconds: 0, endMilliseconds: 9_000, bars: bars))
                ], provenance: Provenance(.heard))
        }
        let compared = EveningComparison(heard([0, 2, 4, 7]), heard([0, 1, 2]))
        #expect(compared.pieces.count == 1 && compared.pieces[0].name == "Bach, Prelude")
        #expect(compared.pieces[0].bars.map(\.one) == [2, 2, 3, nil])
        #expect(compared.pieces[0].bars.map(\.other) == [1, 1, nil, nil])
    }
}
