import ArgumentParser
import Basics
import Catalogue
import DiaryKeeping
import Foundation
import Hosting

/// `baton diary token` makes, lists and withdraws the tokens with which applications use the diary.
struct DiaryTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists and withdraws the tokens with which applications use the diary.",
        discussion: """
            An application sends its token in the header “Authorization: Bearer TOKEN”. The server keeps only a \
            digest of it. Works beside a running server; a withdrawn token is refused at once.
            """,
        subcommands: [Make.self, List.self, Withdraw.self])

    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a token and prints it, once.")
        @OptionGroup var folder: UserCommand.DataFolderOption
        @Argument(help: "What the token is for, such as “Festival app”.") var name: String
        @Flag(help: "The token may also write.") var administrator = false

        func run() async throws {
            try await printingErrors(as: "diary token make") {
                let tokens = DiaryTokens(catalogue: try folder.openCatalogue())
                print(
                    try await tokens.make(
                        named: name, kind: administrator ? .administrator : .application
                    ).text)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the tokens, oldest first.",
            discussion:
                "A line for each: id, kind, day it was made, day of its last use, name, separated by tabs.")
        @OptionGroup var folder: UserCommand.DataFolderOption

        func run() async throws {
            try await printingErrors(as: "diary token list") {
                for token in try await DiaryTokens(catalogue: folder.openCatalogue()).list() {
                    let made = token.createdAt.formatted(.iso8601.year().month().day())
                    let used = token.lastUsedAt?.formatted(.iso8601.year().month().day()) ?? "never"
                    print("\(token.id)\t\(token.kind.rawValue)\t\(made)\t\(used)\t\(token.name)")
                }
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Withdraws a token.")
        @OptionGroup var folder: UserCommand.DataFolderOption
        @Argument(help: "The token's id or name.") var name: String

        func run() async throws {
            try await printingErrors(as: "diary token withdraw") {
                guard try await DiaryTokens(catalogue: folder.openCatalogue()).withdraw(name) else {
                    throw ExplainedError(
                        "There is no token “\(name)”; baton diary token list shows them.")
                }
            }
        }
    }
}
