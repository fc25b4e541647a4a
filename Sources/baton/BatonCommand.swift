import ArgumentParser
import Composition
import Foundation
import Hosting

/// The command `baton`, with all other commands as subcommands.
@main
struct BatonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton",
        abstract: "Hears a performance and says which bar is being played.",
        version: ConcertServer.version,
        subcommands: [
            PrepareCommand.self, ForecastCommand.self, RenderCommand.self, SoundDevicesCommand.self,
            FollowCommand.self, TabCommand.self, TitlesCommand.self,
            ReplayCommand.self, WatchPacketsCommand.self, ServeCommand.self, ServerControlCommand.self,
            UserCommand.self, CertificateCommand.self, PresentCommand.self,
            ContentCommand.self, DiaryCommand.self, RecordingsCommand.self, RelayCommand.self,
            EvaluateCommand.self,
            BenchmarkCommand.self, WorkCommand.self, JudgeNotesCommand.self, BarFiguresCommand.self,
        ]
    )

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            let settings = try SettingsFileArguments.read(namedIn: words)
            await SettingsFileArguments.$inUse.withValue(settings) {
                await run(settings?.insert(into: words) ?? words)
            }
        } catch {
            printError(error.explanation, as: words.first ?? "")
            Foundation.exit(ExitCode.validationFailure.rawValue)
        }
    }

    private static func run(_ words: [String]) async {
        do {
            var command = try parseAsRoot(words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let parserError = parserError(error, about: words) else {
                exit(withError: error)
            }
            printError(parserError.sentence, as: parserError.command)
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }

    /// Turns an error of the argument parser into the same form as all other errors, with the command's name.
    /// - Returns: nil for a request for help, and for errors that were already printed.
    static func parserError(_ error: any Error, about words: [String]) -> (command: String, sentence: String)?
    {
        let (text, mark) = (fullMessage(for: error), "Error: ")
        guard exitCode(for: error) == .validationFailure, text.hasPrefix(mark) else { return nil }
        var names: [String] = []
        var subcommands = configuration.subcommands
        for word in words {
            guard let next = subcommands.first(where: { $0._commandName == word }) else { break }
            names.append(word)
            subcommands = next.configuration.subcommands
        }
        return (names.joined(separator: " "), String(text.dropFirst(mark.count)))
    }
}
