import ArgumentParser
import Basics
import Catalogue
import Foundation
import Hosting
import Platform
import ShowLog

/// `baton user` manages the accounts for the console and the editor.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Adds, lists and removes those who may sign in.",
        discussion: """
            The first administrator is made here, before or while the server runs:
              baton user add anna --role administrator
            The passphrase is asked for. From a script, give it in BATON_PASSPHRASE or on standard input.
            """,
        subcommands: [Add.self, List.self, Role.self, Password.self, Remove.self])

    private static let roleHelp: ArgumentHelp =
        "musician, title-operator, technician, editor or administrator."

    struct DataFolderOption: ParsableArguments {
        @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
        var data = ServeOptions.defaultDataFolder

        func openCatalogue() throws -> CatalogueStore {
            try ServerDataFolder.makeFolder(data)
            return try CatalogueStore(path: data + "/catalogue.sqlite")
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds somebody.")
        @OptionGroup var folder: DataFolderOption
        @Argument(help: "The name to sign in with.") var name: String
        @Option(help: UserCommand.roleHelp) var role = AccountRole.technician

        func run() async throws {
            try await printingErrors(as: "user add") {
                let catalogue = try folder.openCatalogue()
                // Checked before the passphrase is asked for, which would otherwise be typed for nothing.
                if (try? await catalogue.account(named: name)) != nil {
                    throw CatalogueError.accountNameTaken(name)
                }
                let passphrase = try Passphrase(chosen: readPassphrase(for: name), for: name)
                let hash = try await PasswordHasher().hash(passphrase)
                let account = try await catalogue.addAccount(named: name, role: role, passwordHash: hash)
                printToStandardError("\(account.name) may sign in as \(account.role.rawValue).\n")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists who may sign in.")
        @OptionGroup var folder: DataFolderOption

        func run() async throws {
            try await printingErrors(as: "user list") {
                for account in try await folder.openCatalogue().accounts() {
                    print(
                        "\(account.name)\t\(account.role.rawValue)\(account.disabledAt == nil ? "" : "\tdisabled")"
                    )
                }
            }
        }
    }

    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Changes what somebody may do.")
        @OptionGroup var folder: DataFolderOption
        @Argument(help: "The name.") var name: String
        @Argument(help: UserCommand.roleHelp) var role: AccountRole

        func run() async throws {
            try await printingErrors(as: "user role") {
                let catalogue = try folder.openCatalogue()
                try await catalogue.setRole(role, of: catalogue.account(named: name).id)
            }
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets a new passphrase, and signs somebody out.")
        @OptionGroup var folder: DataFolderOption
        @Argument(help: "The name.") var name: String

        func run() async throws {
            try await printingErrors(as: "user password") {
                let catalogue = try folder.openCatalogue()
                let account = try await catalogue.account(named: name)
                let passphrase = try Passphrase(chosen: readPassphrase(for: name), for: name)
                try await catalogue.setPasswordHash(PasswordHasher().hash(passphrase), of: account.id)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes somebody, with all sign-ins.")
        @OptionGroup var folder: DataFolderOption
        @Argument(help: "The name.") var name: String

        func run() async throws {
            try await printingErrors(as: "user remove") {
                let catalogue = try folder.openCatalogue()
                try await catalogue.removeAccount(catalogue.account(named: name).id)
            }
        }
    }
}

extension AccountRole: ExpressibleByArgument {}

/// Reads a passphrase: that of BATON_PASSPHRASE if there is one; otherwise asks for it without echo or, from a pipe,
/// takes the first line.
/// - Parameter isNew: true if an account gets it. In a terminal it is then asked for twice in any case, because the
///   variable may have been left for another account; elsewhere a sentence says that it came from the variable.
func readPassphrase(
    for name: String, isNew: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isTerminal: Bool = isatty(STDIN_FILENO) == 1
) throws -> String {
    if let known = environment["BATON_PASSPHRASE"], !known.isEmpty, !(isNew && isTerminal) {
        if isNew { printToStandardError("The passphrase of \(name) is the one in BATON_PASSPHRASE.\n") }
        return known
    }
    guard isTerminal else {
        guard let line = readLine(strippingNewline: true) else {
            throw ExplainedError(
                "No passphrase came on standard input; write it there, as one line, or set "
                    + "BATON_PASSPHRASE.")
        }
        return line
    }
    guard let first = askSilently("Passphrase for \(name): "),
        let second = isNew ? askSilently("Once more: ") : first
    else {
        throw ExplainedError("The passphrase could not be read from the terminal.")
    }
    guard first == second else { throw ExplainedError("The two passphrases differ; try again.") }
    return first
}

private func askSilently(_ prompt: String) -> String? {
    var before = termios()
    tcgetattr(STDIN_FILENO, &before)
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    // Echo is switched off before the question is printed: text typed before that would be visible, and is discarded
    // by the switch.
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    printToStandardError(prompt)
    defer {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        printToStandardError("\n")
    }
    return readLine(strippingNewline: true)
}
