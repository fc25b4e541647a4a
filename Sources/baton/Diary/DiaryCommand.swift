import ArgumentParser

/// `baton diary` works with the diary: who played what, and where.
struct DiaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary",
        abstract: "The evenings' own entries in the diary, and the tokens with which applications use it.",
        subcommands: [DiaryEveningCommand.self, DiaryTokenCommand.self])
}
