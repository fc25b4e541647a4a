import Following
import Foundation
import Podium
import Repository
import Score
import Sound
import Testing

@testable import Hosting
@testable import Performance

/// The repository's own recordings, from sound to what the audience sees: a concert that begins again, and music of
/// another piece in the middle of one.
@Suite(.serialized) struct ConcertOfRecordingsTests {
    private static let root = Repository.root.path
    private static let prelude = "bach-well-tempered-clavier-1-prelude-in-c"
    private static let minuet = "petzold-anna-magdalena-notebook-minuet-in-g"
    private static let elise = "beethoven-woo-59-fur-elise"
    private static let grieg = "grieg-peer-gynt-hall-of-the-mountain-king"

    /// Seconds of a performance that its model was not made from.
    private func sound(_ path: String, _ seconds: Range<Double>? = nil) throws -> [Float] {
        let reader = try SoundFileReader(
            path: "\(Self.root)/Recordings/\(path)/audio.ogg", channel: .meanOfAllChannels)
        var all: [Float] = []
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 65_536)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        guard let seconds else { return all }
        let rate = Self.rate
        return Array(all[Int(seconds.lowerBound * rate)..<min(Int(seconds.upperBound * rate), all.count)])
    }

    private static let rate = 22_050.0

    private var room: [Float] {
        var noise = RoomNoiseGenerator()
        var samples = [Float](repeating: 0, count: Int(3 * Self.rate))
        samples.withUnsafeMutableBufferPointer { noise.fill($0) }
        return samples
    }

    /// The positions shown to the audience and the cues that fired by themselves, each with its second.
    private struct Evening {
        var shown: [(at: Double, piece: Int, printed: Int, played: Int)] = []
        var fired: [(at: Double, cue: String)] = []
        var modes: [(at: Double, mode: PodiumMode)] = []

        func mode(at second: Double) -> PodiumMode? { modes.last { $0.at <= second }?.mode }
    }

    private func play(
        _ samples: [Float], _ folders: [String], _ advance: PieceAdvanceRule, cueEvery bars: Int = 2,
        commands: [(at: Double, command: PodiumCommand)] = []
    ) throws -> Evening {
        let models = ReferenceModelLoader(
            modelsFolderPath: "\(Self.root)/Models", recordingsFolderPath: "\(Self.root)/Recordings")
        let programme = try models.loadProgramme(try RequestedProgramme(folders.joined(separator: ",")))
        let concert = ConcertFollower(
            programme: programme, sampleRate: .init(hertz: Self.rate), transforms: FFTWSpectrumMaker(),
            advance: advance)
        let pieces = try zip(programme.pieceModels, folders).map { model, folder in
            let count = model.measures.marks.count
            let cues = stride(from: 0, to: count, by: bars).map {
                Cue(id: "p\($0)", place: .playedMeasure($0), played: $0, name: "p\($0)", kind: .note)
            }
            return try ShowPiece(
                name: model.pieceName, folder: folder, measures: model.measures,
                cues: try CueList(cues, measureCount: count))
        }
        var podium = Podium(course: try ShowProgramme(title: "Tonight", pieces: pieces))
        var sieve = FollowerReportFilter()
        var evening = Evening()
        func note(_ effects: [PodiumEffect], at now: Double) {
            for effect in effects {
                if case .showPosition(let place) = effect {
                    evening.shown.append((now, place.piece, place.printed, place.played))
                }
                if case .fireCue(let cue, _) = effect { evening.fired.append((now, cue.id)) }
                if case .anchorFollower(let piece, let place, _) = effect {
                    let measures = programme.pieceModels[piece].measures
                    concert.takeOperatorPosition(piece: piece, at: measures.time(of: place))
                }
            }
            let mode = podium.state.mode
            if evening.modes.last?.mode != mode { evening.modes.append((now, mode)) }
        }
        let anna = CommandSender(name: "anna", role: .technician)
        var commands = commands[...]
        samples.withUnsafeBufferPointer { all in
            for start in stride(from: 0, to: all.count, by: 2_048) {
                let second = Double(start) / Self.rate
                while let next = commands.first, next.at <= second {
                    let now = ShowTime(milliseconds: Int64(second * 1_000))
                    note(podium.process(.command(next.command, by: anna), at: now), at: second)
                    commands.removeFirst()
                }
                let block = UnsafeBufferPointer(rebasing: all[start..<min(start + 2_048, all.count)])
                concert.hearSamples(block) { said in
                    let seconds = said.positionReport.liveTime.seconds
                    let now = ShowTime(milliseconds: Int64(seconds * 1_000))
                    if let due = podium.nextTickDue, due <= now {
                        note(podium.process(.tick, at: now), at: seconds)
                    }
                    guard let word = sieve.significantReport(said, order: podium.state.order) else { return }
                    note(podium.process(.followerReport(word), at: now), at: seconds)
                }
            }
        }
        return evening
    }

    @Test func aConcertThatBeginsAgainIsFollowedFromItsFirstBars() throws {
        let (first, second) = try (sound("\(Self.prelude)/swift"), sound("\(Self.minuet)/gentle"))
        let turn = first + room + second + room
        let evening = try play(
            turn + first[..<Int(40 * Self.rate)], [Self.prelude, Self.minuet], .any)
        let again = Double(turn.count) / Self.rate
        let later = evening.shown.filter { $0.at > again }
        // Nothing of the minuet, and the prelude from one of its first bars on, within ten seconds.
        #expect(later.allSatisfy { $0.piece == 0 })
        let taken = try #require(later.first)
        #expect(taken.at < again + 10 && taken.printed <= 4)
        let bars = later.map(\.printed)
        #expect(bars == Array(taken.printed..<(taken.printed + bars.count)) && bars.count >= 8)
    }

    @Test func withoutThatOrderTheEndOfTheConcertStays() throws {
        let (first, second) = try (sound("\(Self.prelude)/swift", 0..<60), sound("\(Self.minuet)/gentle"))
        let evening = try play(second + room + first, [Self.minuet], .next)
        let again = Double(second.count) / Self.rate + 3
        #expect(evening.shown.allSatisfy { $0.at < again })
        for second in stride(from: again + 10, to: again + 59, by: 1) {
            let mode = evening.mode(at: second)
            #expect(mode == .waiting || mode == .lost, "\(second) s")
        }
    }

    /// In the middle of each part and of each repeat: nobody sees another repeat, and the right bar is back soon.
    @Test func aNudgeThatIsWrongByABarKeepsItsRepeatAndIsContradicted() throws {
        let onsets = try String(
            contentsOfFile: "\(Self.root)/Recordings/\(Self.minuet)/gentle/measures.csv", encoding: .utf8
        ).split(separator: "\n").dropFirst().compactMap { Double($0.split(separator: ",")[1]) }
        func played(at second: Double) -> Int { (onsets.firstIndex { $0 > second } ?? onsets.count) - 1 }
        // Bar 30 is played at 76.7 s for the first time.
        let nudges = [(20.5, 1), (33.2, -1), (47.4, 1), (61.0, -1), (77.2, 1), (93.0, -1), (100.5, 1)]
        let evening = try play(
            try sound("\(Self.minuet)/gentle"), [Self.minuet], .next,
            commands: nudges.map { (at: $0.0, command: .nudgePosition($0.1)) })
        for (second, bars) in nudges {
            let shown = evening.shown.filter { (second..<second + 7).contains($0.at) }
            #expect(shown.first.map { $0.played - played(at: second) } == bars, "\(second) s")
            #expect(shown.allSatisfy { abs($0.played - played(at: $0.at)) <= 2 }, "\(second) s")
            let later = evening.shown.last { $0.at < second + 5 }
            #expect(later.map { abs($0.played - played(at: second + 5)) <= 1 } == true, "\(second) s")
        }
        #expect(evening.shown.last?.played == 63)
    }

    @Test func foreignMusicInTheMiddleMovesTheAudienceByAFewBarsAndFiresNothingFar() throws {
        let elise = try sound("\(Self.elise)/swift", 0..<80)
        let cut = Int(40 * Self.rate)
        let music = elise[..<cut] + (try sound("\(Self.grieg)/studio", 10..<38)) + elise[cut...]
        let evening = try play(Array(music), [Self.elise], .next)
        let before = try #require(evening.shown.last { $0.at < 40 }).printed
        let during = evening.shown.filter { (40..<68).contains($0.at) }
        #expect(during.allSatisfy { (before...before + 4).contains($0.printed) })
        let fired = evening.fired.filter { (40..<68).contains($0.at) }
        #expect(fired.count <= 2)
        // Back within ten seconds, where the same music stands twice in one of its places.
        #expect(evening.shown.contains { (68..<78).contains($0.at) })
    }
}
