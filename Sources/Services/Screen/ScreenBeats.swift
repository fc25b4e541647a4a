import Hosting
import Synchronization
import WebServer

/// The screens that are open, by the heartbeats that they send every two seconds.
final class ScreenBeats: Sendable {
    /// Seconds of silence after which a screen counts as missing.
    static let missingAfter: Duration = .seconds(6)
    /// Time of silence after which a screen is forgotten.
    static let forgottenAfter: Duration = .seconds(600)
    /// The same for one that was never here for a minute: anybody may send a heartbeat, and a screen that somebody only
    /// looked at is not missed.
    static let passerForgottenAfter: Duration = .seconds(20)
    /// The time, and the number of heartbeats, after which a screen counts as one of the evening's.
    static let knownAfter: (time: Duration, beats: Int) = (.seconds(60), 20)
    /// The most screens; a hall has a few.
    static let maximumCount = 32
    /// The most new screens of one machine, because anybody may send a heartbeat.
    static let maximumCountOfAddress = 8

    /// A screen as the console shows it.
    struct Screen: Encodable, Equatable {
        var name: String
        var width: Int
        var height: Int
        /// The text that the screen shows at this moment; empty for none.
        var shows: String
        var blank: String
        var languages: [String]
        /// The picture that the screen shows now, for a small copy of it; nil for a screen whose page is older.
        @OrNull var picture: Picture?
        /// The state of the video that the screen should play; nil without one.
        @OrNull var video: VideoReport?
        /// The state of tonight's films; nil for a screen that shows none.
        @OrNull var film: FilmReport?
        /// Seconds since the screen's last heartbeat: 0 while it sends them, then in whole seconds, after a minute in
        /// steps of ten.
        var age: Int
        /// True for a page that nobody has set up and that was not here before: it may be a stranger's.
        var isNew: Bool
        /// False if the screen has been silent for longer than ``ScreenBeats/missingAfter``.
        var isHere: Bool
    }

    /// A screen's report about the video that it should play.
    enum VideoReport: String, Codable {
        case loading, playing, paused, ended
        /// It plays without sound, because nobody has clicked on this screen's page yet; browsers ask for that.
        case muted
        /// The browser cannot play it.
        case failed
    }

    /// The state of tonight's films on a screen: ready once all are loaded and none is being shown.
    enum FilmState: String, Codable {
        case loading, ready, playing, holding, muted, failed
    }

    /// A screen's report about tonight's films.
    struct FilmReport: Codable, Equatable {
        var state: FilmState
        /// Milliseconds by which the screen's frame is behind the film's place; nil while none plays.
        @OrNull var distanceMs: Int?
        /// The screen's setting ``ScreenSettings/filmOffset``, as it is used.
        var offsetMs: Int

        var isValid: Bool {
            (-100_000_000...100_000_000).contains(distanceMs ?? 0)
                && ScreenSettings.filmOffsets.contains(offsetMs)
        }
    }

    /// A screen's report about the picture that it shows.
    struct Picture: Codable, Equatable {
        /// The lines of the title, one for each language that is shown.
        var lines: [String]
        /// True if the title stands at the upper edge.
        var isTop: Bool
        /// The height of the letters in thousandths of the screen's height.
        var letters: Int
        /// The background as six hexadecimal digits.
        var ground: String
        /// The address of the slide's picture; nil without a slide.
        @OrNull var slide: String?
        /// The wanted languages that the title does not have.
        var missing: [String]

        /// The most bytes of all lines together.
        static let maximumLineBytes = 1_200

        var isValid: Bool {
            lines.count <= 8 && lines.reduce(0) { $0 + $1.utf8.count } <= Self.maximumLineBytes
                && (0...1_000).contains(letters) && ground.utf8.count == 6
                && ground.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
                && (slide.map { $0.hasPrefix("/api/floor/pages/") && $0.utf8.count <= 200 } ?? true)
                && missing.count <= 8 && missing.allSatisfy { $0.utf8.count <= 20 }
        }
    }

    /// The heartbeat of a screen.
    struct Beat: Decodable {
        var id: String
        var width: Int
        var height: Int
        var shows: String
        var blank: String
        var languages: [String]
        var picture: Picture?
        var video: VideoReport?
        var film: FilmReport?

        /// True if the values are ones that a screen sends; anybody may send a heartbeat.
        var isValid: Bool {
            (1...32).contains(id.utf8.count) && (0...100_000).contains(width)
                && (0...100_000).contains(height)
                && shows.utf8.count <= 400 && ["none", "black", "white"].contains(blank)
                && languages.count <= 8 && languages.allSatisfy { $0.utf8.count <= 20 }
                && picture?.isValid ?? true && film?.isValid ?? true
        }
    }

    private struct Entry {
        var screen: Screen
        var firstHeardAt: ContinuousClock.Instant
        var beatCount: Int
        var heardAt: ContinuousClock.Instant
        var address: String
        /// Milliseconds since 1970 since when the device is known; ``Int64/max`` for one that is not.
        var knownSince: Int64

        func isForgotten(at time: ContinuousClock.Instant) -> Bool {
            let isKnown =
                beatCount >= ScreenBeats.knownAfter.beats
                && heardAt - firstHeardAt >= ScreenBeats.knownAfter.time
            return time - heardAt
                >= (isKnown ? ScreenBeats.forgottenAfter : ScreenBeats.passerForgottenAfter)
        }
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Stores a heartbeat. A new screen takes the place of one that is missing, else of one whose device is known for
    /// less long, so that strangers keep no screen of the house out.
    /// - Parameters:
    ///   - address: the address of the machine that sent it, or its network.
    ///   - device: the machine, as far as it is known.
    /// - Returns: false if there are too many screens.
    func take(
        _ beat: Beat, of name: String, from address: String, device: RecognisedDevice = RecognisedDevice()
    ) -> Bool {
        let time = now()
        let knownSince = device.known?.since ?? .max
        return entries.withLock { entries in
            let key = "\(name) \(beat.id)"
            entries = entries.filter { !$0.value.isForgotten(at: time) }
            /// Makes room among some screens.
            func makeRoom(among some: [String: Entry]) -> Bool {
                let missing = some.filter { time - $0.value.heardAt >= Self.missingAfter }
                let newer = some.filter { $0.value.knownSince > knownSince }
                guard
                    let gone = missing.min(by: { $0.value.heardAt < $1.value.heardAt })
                        ?? newer.max(by: { $0.value.knownSince < $1.value.knownSince })
                else { return false }
                entries[gone.key] = nil
                return true
            }
            if entries[key] == nil {
                let own = entries.filter { $0.value.address == address && $0.value.screen.isNew }
                if !device.isOfTheHouse, own.count >= Self.maximumCountOfAddress, !makeRoom(among: own) {
                    return false
                }
                // A screen that was loaded anew has another id; the one that is missing longest makes room.
                if entries.count >= Self.maximumCount, !makeRoom(among: entries) { return false }
            }
            entries[key] = Entry(
                screen: Screen(
                    name: name, width: beat.width, height: beat.height, shows: beat.shows, blank: beat.blank,
                    languages: beat.languages, picture: beat.picture,
                    video: beat.video, film: beat.film, age: 0, isNew: !device.isOfTheHouse, isHere: true),
                firstHeardAt: entries[key]?.firstHeardAt ?? time,
                beatCount: (entries[key]?.beatCount ?? 0) + 1, heardAt: time, address: address,
                knownSince: knownSince)
            return true
        }
    }

    /// The screens of the house by name, then the new ones. Of a name with a screen that is here, those that are
    /// missing are left out: they are the same screen before its page was loaded anew.
    var screens: [Screen] {
        let time = now()
        let all = entries.withLock { entries in
            entries.filter { !$0.value.isForgotten(at: time) }.sorted { $0.key < $1.key }.map { entry in
                var screen = entry.value.screen
                let silence = time - entry.value.heardAt
                screen.isHere = silence < Self.missingAfter
                let seconds = Int(silence / .seconds(1))
                screen.age = seconds < 3 ? 0 : seconds < 60 ? seconds : seconds / 10 * 10
                return screen
            }
        }
        let here = Set(all.filter(\.isHere).map(\.name))
        var named: Set<String> = []
        let shown = all.filter { screen in
            screen.isHere || !here.contains(screen.name) && named.insert(screen.name).inserted
        }
        return shown.filter { !$0.isNew } + shown.filter(\.isNew)
    }
}
