import ArgumentParser
import Basics
import Hosting
import Preparation
import ShowLog

/// Runs a command's body. An error is printed on standard error as `baton NAME: sentence` and ends the command with
/// status 64 for invalid arguments (``ValidationError``), otherwise 1. A status that the command chose itself is
/// kept.
func printingErrors(as command: String, _ body: () async throws -> Void) async throws {
    do {
        try ProcessLimits.checkSystemLimits(ProcessLimits.requirement(of: command))
        try await body()
    } catch {
        if error is ExitCode || error is CleanExit { throw error }
        for sentence in errorSentences(of: error) { printError(sentence, as: command) }
        throw error is ValidationError ? ExitCode.validationFailure : ExitCode.failure
    }
}

/// Runs a closure that makes settings of a command's options. An error in them makes no sense of the command, so it
/// becomes a ``ValidationError``: the command ends with status 64, with which systemd does not start it again.
func readingSettings<Settings>(_ body: () throws -> Settings) throws(ValidationError) -> Settings {
    do { return try body() } catch let error as ValidationError { throw error } catch {
        throw ValidationError(errorSentences(of: error).joined(separator: " "))
    }
}

/// Prints an error in the form that all commands share, with the lines of the settings file that it speaks of.
/// - Parameter command: the command's name; empty if none was given.
func printError(_ sentence: String, as command: String) {
    // The parser's errors have further lines, with the usage.
    var lines = sentence.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
    lines[0] += SettingsFileArguments.inUse?.places(in: sentence) ?? ""
    printToStandardError(
        "baton\(command.isEmpty ? "" : " ")\(command): \(lines.joined(separator: "\n"))\n")
}

private func errorSentences(of error: any Error) -> [String] {
    switch error {
    case let error as PreparationError: error.sentences
    case let error as ValidationError: [error.message]
    case let error as ShowLogFault: [error.sentenceBeforeTheShow]
    default: [error.explanation]
    }
}
