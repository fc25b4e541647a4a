import ArgumentParser
import Basics
import Foundation
import Hosting
import Recordings

/// `baton recordings` manages the recordings that `baton serve` and `baton follow` made.
struct RecordingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "Lists, copies and deletes the recordings of the evenings, and makes references of them.",
        discussion: """
            The recordings are FLAC files in DATA/recordings. A recording has a further part for each restart of \
            the server during a show. A running server has the same list at /recordings.
            """,
        subcommands: [List.self, Export.self, Delete.self, UseRecordingCommand.self])

    struct StoreOption: ParsableArguments {
        @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
        var data = ServeOptions.defaultDataFolder

        /// Opens the recordings, and completes those that were interrupted.
        func openStore() throws -> RecordingStore {
            guard FileManager.default.fileExists(atPath: data) else {
                throw ExplainedError("There is no data folder “\(data)”; name it with --data.")
            }
            try Self.refuseRoot(inFolderOfAnother: data, running: "recordings …")
            let store = RecordingStore(data: data)
            for sentence in store.completeInterrupted() { printToStandardError(sentence + "\n") }
            return store
        }

        /// Throws if root works in another user's data folder.
        /// - Parameter command: the command that this user runs instead, without “baton”.
        static func refuseRoot(
            inFolderOfAnother data: String, running command: String
        ) throws {
            if let refusal = refusal(ofUser: geteuid(), inFolderOf: owner(of: data), data, running: command) {
                throw ExplainedError(refusal)
            }
        }

        /// The user to whom a folder belongs, with its name; nil if that cannot be read.
        private static func owner(of path: String) -> (id: uid_t, name: String)? {
            guard let found = try? FileManager.default.attributesOfItem(atPath: path),
                let id = (found[.ownerAccountID] as? NSNumber)?.uint32Value
            else { return nil }
            return (id, found[.ownerAccountName] as? String ?? "\(id)")
        }

        /// The reason why root does not work in another user's data folder: files that root makes there could not be
        /// read by the server.
        static func refusal(
            ofUser user: uid_t, inFolderOf owner: (id: uid_t, name: String)?, _ data: String,
            running command: String = "recordings …"
        ) -> String? {
            guard user == 0, let owner, owner.id != 0 else { return nil }
            return "“\(data)” belongs to \(owner.name), and the server could not read what root makes there; "
                + "run this as \(owner.name): sudo -u \(owner.name) baton \(command)"
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the recordings, newest first.",
            discussion: "A line for each: name, length, parts, size, title, separated by tabs.")
        @OptionGroup var store: StoreOption

        func run() async throws {
            try await printingErrors(as: "recordings list") {
                let recordings = try store.openStore().list()
                if recordings.isEmpty {
                    printToStandardError(
                        "There are no recordings in “\(store.data)”. `baton serve` makes one each evening, unless it "
                            + "was started with --no-record.\n")
                }
                for recording in recordings {
                    print(RecordingsCommand.describe(recording))
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies a recording to another folder.",
            discussion: "Each part becomes a file NAME-part-1.flac and so on; none is overwritten.")
        @OptionGroup var store: StoreOption
        @Argument(help: "The recording's name, as `baton recordings list` shows it.") var name: String
        @Option(help: ArgumentHelp("The folder to copy to.", valueName: "folder"), completion: .directory)
        var to = "."

        func run() async throws {
            try await printingErrors(as: "recordings export") {
                let recording = try finding {
                    try store.openStore().recording(named: name)
                }
                for part in recording.parts where !part.isDeleted {
                    let target = "\(to)/\(name)-part-\(part.number).flac"
                    if let gap = part.gapSeconds {
                        printToStandardError(
                            "Before part \(part.number), \(gap.decimalText(1)) s of the evening are missing.\n"
                        )
                    }
                    do {
                        try FileManager.default.copyItem(atPath: part.path, toPath: target)
                    } catch {
                        throw ExplainedError(
                            "“\(target)” could not be written: \(error.localizedDescription)")
                    }
                    print(target)
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a recording, or all parts that are older than some days.",
            discussion: "Asks before it deletes, unless --yes is given.")
        @OptionGroup var store: StoreOption
        @Argument(help: "The recording's name, as `baton recordings list` shows it.") var name: String?
        @Option(
            help: ArgumentHelp("Delete all parts that ended more than so many days ago.", valueName: "days"))
        var olderThan: Int?
        @Flag(help: "Do not ask.") var yes = false

        func validate() throws {
            guard (name == nil) != (olderThan == nil) else {
                throw ValidationError("Give either the name of a recording or --older-than.")
            }
            if let olderThan, !(1...36_500).contains(olderThan) {
                throw ValidationError("--older-than is 1 to 36500 days, not \(olderThan).")
            }
        }

        func run() async throws {
            try await printingErrors(as: "recordings delete") {
                let store = try store.openStore()
                if let olderThan {
                    try confirm("Delete all recorded parts that are older than \(olderThan) days?")
                    let count = RecordingRetention.days(olderThan).deleteExpired(in: store, now: Date())
                    printToStandardError("\(count) parts were deleted.\n")
                } else if let name {
                    let recording = try finding {
                        try store.recording(named: name)
                    }
                    try confirm("Delete \(RecordingsCommand.describe(recording))?")
                    try finding { try store.delete(name) }
                }
            }
        }

        private func confirm(_ question: String) throws {
            if yes { return }
            guard isatty(STDIN_FILENO) == 1 else {
                throw ExplainedError("Nothing was deleted: without a terminal, give --yes.")
            }
            printToStandardError(question + " Type yes: ")
            guard readLine(strippingNewline: true) == "yes" else {
                throw ExplainedError("Nothing was deleted.")
            }
        }
    }

    static func describe(_ recording: Recording) -> String {
        let minutes = Int(recording.seconds) / 60
        let seconds = Int(recording.seconds) % 60
        let length = "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
        let parts = recording.parts.count == 1 ? "1 part" : "\(recording.parts.count) parts"
        let size = (Double(recording.byteCount) / 1e6).decimalText(1) + " MB"
        return [
            recording.name, length, parts, size, recording.title + (recording.isRunning ? " (running)" : ""),
        ]
        .joined(separator: "\t")
    }
}

/// Turns a fault of a recording into an error with its sentence.
func finding<Value>(
    _ work: () throws -> Value
) throws -> Value {
    return try work()
}
