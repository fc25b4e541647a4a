import Basics
import Foundation
import TimeCode

/// The rate and labels of the time code, and its outputs.
package struct TimeCodeSettings: Sendable {
    package var rate = TimeCodeRate.video25
    /// The sound device that plays linear time code; nil for none.
    package var soundDevice: String?
    /// The channel of that device, from 1; nil for all.
    package var soundChannel: Int?
    /// The level of linear time code, in decibels of full scale.
    package var decibels = -12.0
    /// Eight digits of four bits each.
    package var userBits: UInt32 = 0
    /// The file of the raw MIDI port that gets MIDI time code; nil for none.
    package var midiPort: String?
    /// The file of the raw MIDI port that gets MIDI clock and song position; nil for none.
    package var clockPort: String?
    /// The IPv4 address, also of broadcast, that gets Art-Net time code; nil for none.
    package var artNetAddress: String?
    /// The labels of the references' beginnings, by the number of the piece from 1. The others begin at the hour of
    /// their number.
    package var starts: [Int: TimeCodeLabel] = [:]
    /// The bar lines in seconds of another recording whose time is sent in the place of the reference's, by the number
    /// of the piece from 1.
    package var recordings: [Int: [Double]] = [:]
    static let recordingSource = "The recording of --time-code-recording"
    package var clock = CodeClock.Settings()

    package init() {}

    /// The amplitude of linear time code, 0…1.
    var amplitude: Double { pow(10, decibels / 20) }

    /// True if nothing is to be sent.
    package var isEmpty: Bool { [soundDevice, midiPort, clockPort, artNetAddress].allSatisfy { $0 == nil } }

    /// The frame since midnight at which the reference of a piece begins.
    /// - Parameter piece: counted from 0; negative for test code, which begins at midnight.
    func firstFrame(ofPiece piece: Int) -> Double {
        guard piece >= 0 else { return 0 }
        if let own = starts[piece + 1] { return Double(own.frameNumber(at: rate)) }
        let hour = TimeCodeLabel("\((piece + 1) % 24):00:00:00", rate: rate)
        return Double(hour?.frameNumber(at: rate) ?? 0)
    }

    /// The frames since midnight that pass in a stretch of code.
    package func frames(of segment: CodeClock.Segment) -> ClosedRange<Double> {
        let first = firstFrame(ofPiece: segment.piece)
        let (start, end) = (segment.seconds.lowerBound, segment.seconds.upperBound)
        return first + start * rate.framesPerSecond...first + end * rate.framesPerSecond
    }

    /// The label of a place in a piece.
    func label(ofPiece piece: Int, second: Double) -> TimeCodeLabel {
        TimeCodeLabel(
            frame: Int((firstFrame(ofPiece: piece) + second * rate.framesPerSecond).rounded(.down)),
            rate: rate)
    }
}
