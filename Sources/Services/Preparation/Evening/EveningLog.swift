import Foundation
import Podium
import ShowLog

/// A moment of a show at which it knew its place.
package struct EveningPosition: Equatable, Sendable {
    /// Seconds of the show.
    package var seconds: Double
    /// The piece's name.
    package var piece: String
    /// The index of the played measure.
    package var played: Int

    package init(seconds: Double, piece: String, played: Int) {
        (self.seconds, self.piece, self.played) = (seconds, piece, played)
    }
}

/// The show log of an evening, if it belongs to the recording.
package enum EveningLog: Equatable, Sendable {
    /// More difference between the clocks of log and recording means that they are of different evenings, in seconds.
    static let largestClockDifference = 120.0

    /// The positions of the follower and of people, in the order of time.
    case positions([EveningPosition])
    /// The reason why the log does not help, as a sentence.
    case unusable(String)

    /// Reads the log of the show that has the recording's name, and checks that their times agree.
    /// - Parameter showsFolder: the folder of all shows.
    package init(of sound: EveningSound, showsFolder: String) {
        let folder = showsFolder + "/" + sound.name
        guard FileManager.default.fileExists(atPath: folder) else {
            self = .unusable("There is no show log of this recording, so all of it is searched.")
            return
        }
        guard sound.isShowTime, let part = sound.parts.first, let showTime = part.showTime else {
            self = .unusable(
                "The recording does not say at which time of the show it begins, so all of it is searched.")
            return
        }
        do throws(ShowLogFault) {
            let (started, positions) = try Self.readPositions(show: folder)
            let began = (Double(part.startedAt - showTime) / 1_000).rounded()
            if let difference = Self.seconds(from: started, to: began),
                difference > Self.largestClockDifference
            {
                self = .unusable(Self.misfitSentence(minutes: Int((difference / 60).rounded())))
            } else {
                self = .positions(positions)
            }
        } catch {
            self = .unusable("\(error.sentence) All of the recording is searched.")
        }
    }

    private static func misfitSentence(minutes: Int) -> String {
        "The show log and the recording do not fit each other: their clocks differ by \(minutes) minutes. All of the "
            + "recording is searched."
    }

    /// The absolute difference of two times of day; nil if the log's cannot be read.
    private static func seconds(from started: String, to began: Double) -> Double? {
        (try? Date(started, strategy: .iso8601)).map { abs($0.timeIntervalSince1970 - began) }
    }

    /// Reads the places of a show, also those of a rehearsal that no listener saw. Damaged lines are skipped.
    private static func readPositions(
        show: String
    ) throws(ShowLogFault) -> (started: String, positions: [EveningPosition]) {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var positions: [EveningPosition] = []
        while let line = try replay.replayNextLine() {
            guard let event = line.event, let podium = replay.podium,
                let (piece, played) = place(after: event, podium.state),
                podium.course.pieces.indices.contains(piece)
            else { continue }
            let position = EveningPosition(
                seconds: Double(line.time.milliseconds) / 1_000, piece: podium.course.pieces[piece].name.text,
                played: played)
            if positions.last?.piece != position.piece || positions.last?.played != played {
                positions.append(position)
            }
        }
        return (replay.started ?? "", positions)
    }

    /// The follower's own place if it follows, otherwise the show's if it is known.
    private static func place(after event: PodiumEvent, _ state: PodiumState) -> (piece: Int, played: Int)? {
        if case .followerReport(let report) = event, report.state == .following,
            let position = report.position
        {
            return (report.piece, position.played)
        }
        return state.isPlaceKnown ? (state.piece, state.position.played) : nil
    }
}
