import ArgumentParser
import Basics
import Composition
import Foundation
import Hosting
import PresentingProtocol

/// `baton present` shows a speaker's slides on the hall's screen, from the speaker's own machine.
struct PresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Shows your slides on the hall's screen, as a speaker.",
        discussion: """
            Connects to the port of baton serve --present, sends the PDF, and takes commands: keys in a terminal, else \
            lines of standard input.
            \(commandHelp)
            In a terminal: \(SpeakerKeys.help).
            After a lost connection it comes back by itself; for a minute the server keeps number and floor.

            Example: baton present 192.168.1.10:8090 --name Anna --code k7-summer --slides talk.pdf
            Exit status: 0 ended, 1 not reached or something was refused, 64 the command makes no sense.
            """)

    /// The help text: one line for each command.
    private static let commandHelp = SpeakerCommand.descriptions
        .map { "  \($0.use): \($0.meaning)" }.joined(separator: "\n")

    @Argument(
        help: ArgumentHelp(
            "The server, as ADDRESS:PORT; then its backup, if there is one.", valueName: "server"))
    var servers: [String]

    @Option(help: "Your name, as the moderator sees it.")
    var name: String

    @Option(help: "The moderator's code.")
    var code: String?

    @Option(
        help: ArgumentHelp("The PDF with your slides.", valueName: "file"),
        completion: .file(extensions: ["pdf"]))
    var slides: String?

    @Flag(help: "Print everything as JSON, one object a line, and take lines instead of keys.")
    var json = false

    private enum End { case server, lines, interruption }

    func run() async throws {
        try await printingErrors(as: "present") {
            let endpoints = try readingSettings {
                try servers.map { text in
                    let place = try HostAndPort(text, of: "The server", example: "192.168.1.10:8090")
                    return PresentingClient.Endpoint(address: place.host, port: place.port)
                }
            }
            guard endpoints.count <= 2 else {
                throw ValidationError("Give a server, and at most one backup.")
            }
            let fullName = try Self.fullName(name, code)
            let file = try slides.map { try Self.open($0) }
            let usesKeys = !json && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            let terminal = usesKeys ? TerminalSpeakerOutput(name: name) : nil
            let program = SpeakerProgram(
                endpoints: endpoints, name: fullName, patience: usesKeys ? nil : PresentingClient.keptTime,
                output: terminal ?? (json ? JSONSpeakerOutput() as any SpeakerOutput : LineSpeakerOutput()))
            if let file { _ = await program.takeSlides(file) }
            let interruption = ShutdownSignal()
            let keys = usesKeys ? KeyTerminal() : nil
            defer {
                keys?.restore()
                if usesKeys { print() }
            }
            try await withThrowingTaskGroup(of: End.self) { group in
                group.addTask {
                    try await program.run()
                    return .server
                }
                group.addTask {
                    await interruption.run()
                    return .interruption
                }
                group.addTask {
                    if let terminal {
                        await Self.takeKeys(program, terminal)
                    } else {
                        await Self.takeLines(program)
                    }
                    return .lines
                }
                defer { group.cancelAll() }
                if try await group.next() != .server { await program.leave() }
            }
            if !usesKeys, program.hasRefusals { throw ExitCode.failure }
        }
    }

    /// The name as it is registered.
    static func fullName(_ name: String, _ code: String?) throws(ValidationError) -> String {
        guard (1...200).contains(name.utf8.count),
            NameRule.isFit(name)
        else { throw ValidationError("--name has 1 to 200 bytes, without control characters.") }
        if let code, code.utf8.count > 63 { throw ValidationError("--code has at most 63 characters.") }
        return code.map { "\(name) #\($0)" } ?? name
    }

    private static func open(_ path: String) throws -> SlidesFile {
        do throws(SlidesFile.Fault) { return try SlidesFile(path: path) } catch {
            throw ExplainedError(SpeakerSentences.fault(error, of: path))
        }
    }

    /// Carries out line by line: each one waits for the answer to the one before.
    private static func takeLines(_ program: SpeakerProgram) async {
        await program.waitForNumber()
        await program.waitForSlides()
        await StandardInput().forEachLine { line in
            do throws(SpeakerCommand.Fault) {
                let command = try SpeakerCommand(line: line)
                guard command != .quit else { return false }
                await program.carryOut(command)
            } catch { program.refuse(line, error.sentence) }
            return !Task.isCancelled
        }
    }

    private static func takeKeys(_ program: SpeakerProgram, _ terminal: TerminalSpeakerOutput) async {
        await program.waitForNumber()
        var keys = SpeakerKeys()
        await StandardInput().forEachPiece { piece in
            for step in keys.take(piece) {
                switch step {
                case .command(.quit): return false
                case .command(.help): terminal.write(SpeakerReport("help", SpeakerKeys.help))
                case .command(let command):
                    switch command {
                    // While a file is sent, keys go on to be taken.
                    case .slides, .video: Task { await program.carryOut(command) }
                    default: await program.carryOut(command)
                    }
                case .question:
                    terminal.show(question: keys.question.map { "\($0.title): \($0.typed)" })
                case .fault(let sentence): program.refuse("", sentence)
                }
            }
            return !Task.isCancelled
        }
    }
}
