import ArgumentParser
import Basics
import Foundation
import Listening
import TimeCode
import TimeCodeSending

/// Options for the time code itself, wherever it goes.
struct TimeCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Frames a second: 24, 25, 29.97, 29.97df (drop frame) or 30.", valueName: "rate"))
    var timeCodeRate = TimeCodeRate.video25

    @Option(
        help: ArgumentHelp(
            "The code at the beginning of a piece's reference, such as 3=10:00:00:00; repeat for more. Unless given, "
                + "a piece begins at the hour of its number.",
            valueName: "piece=hh:mm:ss:ff"))
    var timeCodeStart: [String] = []

    @Option(
        help: ArgumentHelp(
            "Send the time of another recording of a piece, such as 3=film/measures.csv with its bar lines; repeat for "
                + "more. Unless given, the code is the time of the reference.",
            valueName: "piece=file"))
    var timeCodeRecording: [String] = []

    @Option(
        help: ArgumentHelp(
            "The slowest and fastest speed of the code against the recording.", valueName: "slowest-fastest"))
    var timeCodeSpeeds = "0.5-2"

    @Option(
        help: ArgumentHelp(
            "For how many frames the code runs on when the music stands still, ends or is lost.",
            valueName: "frames"))
    var timeCodeFreewheel = 25

    @Option(
        help: ArgumentHelp(
            "What the code does while the place is lost: stop after those frames, or run on.",
            valueName: "stop|run"))
    var timeCodeLost = CodeClock.Conduct.stop

    @Option(help: ArgumentHelp("The level of LTC in dB of full scale, -40 to 0.", valueName: "dB"))
    var ltcLevel = -12.0

    @Option(help: ArgumentHelp("The user bits of LTC: eight hexadecimal digits.", valueName: "digits"))
    var ltcUserBits = "00000000"

    func makeSettings() throws(ExplainedError) -> TimeCodeSettings {
        var settings = TimeCodeSettings()
        settings.rate = timeCodeRate
        for text in timeCodeStart {
            let (piece, label) = try Self.parseStart(text, rate: timeCodeRate)
            guard settings.starts.updateValue(label, forKey: piece) == nil else {
                throw ExplainedError("--time-code-start is given twice for piece \(piece); give it once.")
            }
        }
        for text in timeCodeRecording {
            let (piece, lines) = try Self.readRecording(text)
            guard settings.recordings.updateValue(lines, forKey: piece) == nil else {
                throw ExplainedError("--time-code-recording is given twice for piece \(piece); give it once.")
            }
        }
        settings.clock.speeds = try Self.parseSpeeds(timeCodeSpeeds)
        guard (0...3_000).contains(timeCodeFreewheel) else {
            throw ExplainedError("--time-code-freewheel is 0 to 3000 frames, not \(timeCodeFreewheel).")
        }
        settings.clock.freewheelSeconds = Double(timeCodeFreewheel) / timeCodeRate.framesPerSecond
        settings.clock.whenLost = timeCodeLost
        guard (-40...0).contains(ltcLevel) else {
            throw ExplainedError("--ltc-level is -40 to 0 dB, not \(ltcLevel).")
        }
        settings.decibels = ltcLevel
        guard ltcUserBits.utf8.count == 8, let bits = UInt32(ltcUserBits, radix: 16) else {
            throw ExplainedError(
                "--ltc-user-bits is eight hexadecimal digits, such as 20261130, not “\(ltcUserBits.prefix(40))”."
            )
        }
        settings.userBits = bits
        return settings
    }

    private static func parseStart(
        _ text: String, rate: TimeCodeRate
    ) throws(ExplainedError) -> (piece: Int, TimeCodeLabel) {
        guard let (piece, value) = splitPiece(text), let label = TimeCodeLabel(value, rate: rate)
        else {
            throw ExplainedError(
                "--time-code-start is PIECE=HH:MM:SS:FF with a frame that \(rate.rawValue) has, such as "
                    + "3=10:00:00:00, not “\(text.prefix(60))”.")
        }
        return (piece, label)
    }

    /// The two sides of `3=…`; nil if the first is no number of a piece.
    private static func splitPiece(_ text: String) -> (piece: Int, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let piece = Int(parts[0]), (1...999).contains(piece) else { return nil }
        return (piece, String(parts[1]))
    }

    private static func readRecording(_ text: String) throws(ExplainedError) -> (piece: Int, [Double]) {
        guard let (piece, path) = splitPiece(text) else {
            throw ExplainedError(
                "--time-code-recording is PIECE=FILE, such as 3=film/measures.csv, not “\(text.prefix(60))”.")
        }
        do {
            let measures = try AnnotatedMeasures(file: URL(filePath: path)).map
            return (piece, measures.marks.map(\.onset.seconds))
        } catch {
            throw ExplainedError(
                "--time-code-recording: \((error as? any Explained)?.sentence ?? "\(error)")")
        }
    }

    private static func parseSpeeds(_ text: String) throws(ExplainedError) -> ClosedRange<Double> {
        let speeds = text.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) }
        guard speeds.count == 2, let slowest = speeds[0], let fastest = speeds[1],
            (0.1...1).contains(slowest),
            (1...4).contains(fastest)
        else {
            throw ExplainedError(
                "--time-code-speeds is the slowest speed, 0.1 to 1, and the fastest, 1 to 4, such as 0.8-1.25, not "
                    + "“\(text.prefix(40))”.")
        }
        return slowest...fastest
    }
}

extension TimeCodeRate: ExpressibleByArgument {}
extension CodeClock.Conduct: ExpressibleByArgument {}
