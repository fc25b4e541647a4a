import Hosting
import Platform
import Podium
import Synchronization
import TimeCode
import WebServer

/// Tells the screens which films are shown tonight, and where the film of the piece being played is.
///
/// On a server that stands by, the film follows silently, so that screens that turn to it find the same frame.
final class FilmOutput: ShowOutput {
    let shelf: FilmShelf
    private let eventHub: EventHub
    private let consoles: ConsoleStream
    private let beats: ScreenBeats
    private let readShowTime: @Sendable () -> Int64
    private let following: Mutex<Following>

    private struct Following {
        var clock: FilmClock
        /// The piece and film of ``timeLine``.
        var piece: ShowPiece?
        var film: Film?
        var timeLine: RecordingTimeLine?
        var sent: FilmSection?
        var hasConsoleSection = false
    }

    /// - Parameter readShowTime: milliseconds of the show.
    init(
        shelf: FilmShelf, hub: EventHub, consoles: ConsoleStream, beats: ScreenBeats,
        settings: CodeClock.Settings,
        readShowTime: @escaping @Sendable () -> Int64
    ) {
        (self.shelf, eventHub, self.consoles, self.beats) = (shelf, hub, consoles, beats)
        self.readShowTime = readShowTime
        following = Mutex(Following(clock: FilmClock(settings, at: MonotonicClock.now.seconds)))
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let pieces = snapshot.programme.isEmpty ? [] : snapshot.programme.pieces
        let found = pieces.map { shelf.found(ofPiece: $0.folder) }
        following.withLock { following in
            let hasFilms = found.contains { $0 != FilmShelf.Found() }
            guard !pieces.isEmpty, hasFilms || following.sent != nil else { return }
            let film = shelf.found(ofPiece: snapshot.piece.folder).film
            follow(&following, film, snapshot)
            send(&following, found.compactMap(\.film))
            let trouble = found.compactMap(\.trouble).first ?? following.timeLine?.trouble
            consoles.publish(
                .film,
                FilmConsoleSection(
                    following.clock, hasFilm: film != nil, count: found.count { $0.film != nil },
                    trouble: trouble))
        }
    }

    private func follow(_ following: inout Following, _ film: Film?, _ snapshot: ShowEngineSnapshot) {
        let now = MonotonicClock.now
        if following.piece != snapshot.piece || following.film != film {
            (following.piece, following.film) = (snapshot.piece, film)
            following.timeLine = film.map { Self.timeLine(of: snapshot.piece, $0) }
        }
        let music = CodeClock.Observation(snapshot, at: now)
        let observation =
            following.timeLine?.convert(music)
            ?? CodeClock.Observation(piece: music.piece, time: music.time, music: .awaited)
        _ = following.clock.advance(
            to: now.seconds, observing: observation, start: film?.barLines.first ?? 0)
    }

    static func timeLine(of piece: ShowPiece, _ film: Film) -> RecordingTimeLine {
        RecordingTimeLine(
            of: piece.measures, name: piece.name.text, recording: film.barLines,
            source: "The film's \(Film.measuresName)")
    }

    private func send(_ following: inout Following, _ films: [Film]) {
        let line = following.clock.line
        let isTrue = following.timeLine?.trouble == nil
        var section = FilmSection(
            films: films, now: isTrue ? following.film : nil, line: line, since: following.sent?.since ?? 0)
        guard section != following.sent else { return }
        section.since = Double(readShowTime()) + (line.time - MonotonicClock.now.seconds) * 1_000
        following.sent = section
        eventHub.publishStateSection("film", JSONBody.encode(section))
    }

    // MARK: Trouble

    /// Looks for films that cannot be shown.
    func findTrouble(in programme: ShowProgramme) -> String? {
        guard !programme.isEmpty else { return nil }
        let troubles = programme.pieces.flatMap { piece in
            let found = shelf.found(ofPiece: piece.folder)
            let own = found.film.flatMap { Self.timeLine(of: piece, $0).trouble }
            return [found.trouble, own].compactMap { $0 }
        }
        return troubles.isEmpty ? nil : troubles.joined(separator: " ")
    }

    /// Says whether the films of the programme are loaded on the screens that are open.
    func check(_ programme: ShowProgramme) -> PreShowCheckVerdict {
        let folders = programme.isEmpty ? [] : programme.pieces.map(\.folder)
        shelf.refresh(pieces: folders)
        if let trouble = findTrouble(in: programme) { return PreShowCheckVerdict(.fail, trouble) }
        guard folders.contains(where: { shelf.found(ofPiece: $0).film != nil }) else {
            return PreShowCheckVerdict(.skipped, "No piece of tonight has a film.")
        }
        let screens = beats.screens.filter(\.isHere).compactMap { screen in
            screen.film.map { (name: screen.name, state: $0.state) }
        }
        func names(_ states: Set<ScreenBeats.FilmState>) -> String {
            screens.filter { states.contains($0.state) }.map(\.name).joined(separator: ", ")
        }
        if screens.isEmpty {
            return PreShowCheckVerdict(
                .fail,
                "No screen has the film; open /screen on the projector's machine, showing “film” or all.")
        }
        let (failed, loading) = (names([.failed]), names([.loading]))
        if !failed.isEmpty { return PreShowCheckVerdict(.fail, Self.cannotPlay(failed)) }
        if !loading.isEmpty {
            return PreShowCheckVerdict(
                .warn, "The film is still being loaded on this screen: \(loading); wait.")
        }
        return PreShowCheckVerdict(
            .pass, "The film is loaded on this screen: \(screens.map(\.name).joined(separator: ", ")).")
    }

    static func cannotPlay(_ screens: String) -> String {
        "The browser of this screen cannot play the film: \(screens); make it an MP4 (H.264 with AAC) or WebM."
    }

    /// The screens on which the film cannot be played; nil if there are none.
    var failedScreens: String? {
        let names = beats.screens.filter { $0.isHere && $0.film?.state == .failed }.map(\.name)
        return names.isEmpty ? nil : Self.cannotPlay(names.joined(separator: ", "))
    }
}

/// Tonight's films as the screens get them; docs/console-api.md describes every field.
struct FilmSection: Encodable, Equatable {
    struct FilmJSON: Encodable, Equatable {
        var tag: String
        var address: String
    }

    var films: [FilmJSON]
    /// The tag of the film of the piece being played; nil if it has none.
    @OrNull var now: String?
    var state: String
    var run: Int
    /// Seconds of the film at the time ``since``.
    var seconds: Double
    /// Milliseconds of the show.
    var since: Double
    var speed: Double

    init(films: [Film], now: Film?, line: FilmClock.Line, since: Double) {
        self.films = films.map { FilmJSON(tag: $0.tag, address: "/api/films/\($0.tag)") }
        _now = OrNull(wrappedValue: now?.tag)
        state = line.state.rawValue
        (run, seconds, speed, self.since) = (line.run, line.seconds, line.speed, since)
    }
}

extension ConsoleSection {
    static let film = Self("film")
}

/// The console's section `film`.
struct FilmConsoleSection: Encodable, Equatable {
    /// The number of tonight's films.
    var count: Int
    /// True if the piece being played has one.
    var hasFilm: Bool
    var state: String
    /// Whole seconds of the film.
    var seconds: Int
    var speed: Double
    /// Milliseconds by which the music is ahead.
    @OrNull var distanceMs: Int?
    @OrNull var trouble: String?

    init(_ clock: FilmClock, hasFilm: Bool, count: Int, trouble: String?) {
        let line = clock.line
        (self.count, self.hasFilm, state) = (count, hasFilm, line.state.rawValue)
        seconds = Int(line.seconds(at: clock.time))
        speed = (line.speed * 100).rounded() / 100
        _distanceMs = OrNull(wrappedValue: clock.distance.map { Int(($0 * 1_000).rounded()) })
        _trouble = OrNull(wrappedValue: trouble)
    }
}
