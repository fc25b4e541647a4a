import Foundation
import Hosting
import Podium
import Testing
import TimeCode
import WebServer

@testable import Screen
@testable import ShowStages

/// The films of the pieces: what is found in their folders, and what screens and the check are told.
@Suite struct FilmTests {
    private let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "baton-film-\(UUID().uuidString)")
    private let hub = EventHub()
    private let consoles = EventHub()
    private let beats = ScreenBeats()
    private let shelf: FilmShelf
    private let output: FilmOutput
    private static let video = [0, 0, 0, 32] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 100)
    /// The eight bars of the made pieces.
    private static let measures = "measure,time\n" + (1...8).map { "\($0),\(2 * $0)" }.joined(separator: "\n")

    init() throws {
        shelf = FilmShelf(recordings: folder.path)
        output = FilmOutput(
            shelf: shelf, hub: hub, consoles: ConsoleStream(consoles), beats: beats,
            settings: FilmClock.settings, readShowTime: { 5_000 })
        try FileManager.default.createDirectory(
            at: folder.appending(path: "melody-1/film"), withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: "melody-1/film/\(name)"))
    }

    private func makeFilm() throws {
        try write("film.mp4", Self.video)
        try write("measures.csv", Array(Self.measures.utf8))
        shelf.refresh(pieces: ["melody-1", "melody-2"])
    }

    private var trouble: String? {
        shelf.refresh(pieces: ["melody-1"])
        return shelf.found(ofPiece: "melody-1").trouble
    }

    @Test func aFolderThatIsNoFilmSaysWhatToDo() throws {
        #expect(trouble?.contains("has no video that browsers play") == true)
        try write("film.avi", Array("RIFF....AVI ".utf8))
        #expect(trouble?.contains("has no video that browsers play") == true)
        try write("film.mp4", Self.video)
        #expect(trouble?.contains("measures.csv is missing") == true)
        try write("measures.csv", Array("measure,time\n1,a\n".utf8))
        #expect(trouble?.contains("measures.csv") == true)
        try write("measures.csv", Array(Self.measures.utf8))
        #expect(trouble == nil && shelf.found(ofPiece: "melody-1").film?.barLines.count == 8)
        try write("other.webm", [0x1A, 0x45, 0xDF, 0xA3] + Array("\u{42}webm".utf8))
        #expect(trouble?.contains("2 videos, film.mp4, other.webm") == true)
        try FileManager.default.removeItem(at: folder.appending(path: "melody-1/film"))
        #expect(trouble == nil && shelf.found(ofPiece: "melody-1").film == nil)
    }

    @Test func aFilmIsKnownByItsContent() throws {
        try makeFilm()
        let tag = try #require(shelf.found(ofPiece: "melody-1").film?.tag)
        #expect(tag.count == 32 && shelf.film(tag)?.path.hasSuffix("film.mp4") == true)
        try write("film.mp4", Self.video + [1])
        shelf.refresh(pieces: ["melody-1"])
        #expect(shelf.film(tag) == nil)
    }

    private var section: String { String(decoding: hub.newestValue("film") ?? [], as: UTF8.self) }

    @Test func screensGetTheFilmsOfTheProgrammeAndWhereThePresentOneIs() throws {
        let now = try madeSnapshot()
        output.receiveSnapshot(now)
        #expect(hub.newestValue("film") == nil && consoles.newestValue("film") == nil)
        try makeFilm()
        output.receiveSnapshot(now)
        let tag = try #require(shelf.found(ofPiece: "melody-1").film?.tag)
        #expect(section.contains(#""now":"\#(tag)""#) && section.contains(#""state":"waiting""#))
        #expect(section.contains(#""seconds":2"#), "the first bar line: \(section)")
        let id = hub.newestEventID
        output.receiveSnapshot(now)
        #expect(hub.newestEventID == id, "nothing is sent twice")
    }

    @Test func aTableWithOtherBarsThanThePieceShowsNoFilmAndIsReported() throws {
        try write("film.mp4", Self.video)
        try write("measures.csv", Array("measure,time\n1,1\n2,2\n".utf8))
        shelf.refresh(pieces: ["melody-1"])
        let now = try madeSnapshot()
        output.receiveSnapshot(now)
        #expect(section.contains(#""now":null"#))
        #expect(output.findTrouble(in: now.programme)?.contains("2 bars as played") == true)
        #expect(output.check(now.programme).kind == .fail)
    }

    private func beat(_ state: ScreenBeats.FilmState) {
        _ = beats.take(
            ScreenBeats.Beat(
                id: "a", width: 1, height: 1, shows: "", blank: "none", languages: [],
                film: .init(state: state, distanceMs: nil, offsetMs: 0)), of: "hall", from: "127.0.0.1")
    }

    @Test func theCheckBeforeTheShowSaysWhetherTheScreensHaveTheFilm() throws {
        let programme = try madeCourse()
        #expect(output.check(programme).kind == .fail, "the folder has no video")
        try makeFilm()
        #expect(output.check(programme).sentence.contains("No screen has the film"))
        beat(.loading)
        #expect(output.check(programme).kind == .warn)
        beat(.failed)
        #expect(output.check(programme).kind == .fail && output.failedScreens?.contains("hall") == true)
        beat(.ready)
        #expect(output.check(programme) == .init(.pass, "The film is loaded on this screen: hall."))
        try FileManager.default.removeItem(at: folder.appending(path: "melody-1/film"))
        #expect(output.check(programme).kind == .skipped)
    }

    @Test func aHeartbeatHasOnlyDistancesAndOffsetsThatAScreenSends() {
        #expect(ScreenBeats.FilmReport(state: .playing, distanceMs: -20, offsetMs: 40).isValid)
        #expect(!ScreenBeats.FilmReport(state: .playing, distanceMs: nil, offsetMs: 6_000).isValid)
        var settings = ScreenSettings()
        settings.filmOffset = -5_001
        #expect(settings.fault?.contains("5000") == true)
    }
}
