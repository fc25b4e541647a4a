import ArgumentParser
import Basics
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
            settings.starts[piece] = label
        }
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
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let piece = Int(parts[0]), (1...999).contains(piece),
            let label = TimeCodeLabel(String(parts[1]), rate: rate)
        else {
            throw ExplainedError(
                "--time-code-start is PIECE=HH:MM:SS:FF with a frame that \(rate.rawValue) has, such as "
                    + "3=10:00:00:00, not “\(text.prefix(60))”.")
        }
        return (piece, label)
    }
}

extension TimeCodeRate: ExpressibleByArgument {}
extension CodeClock.Conduct: ExpressibleByArgument {}
