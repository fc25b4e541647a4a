import ArgumentParser
import Listening
import Preparation

/// `baton work` does one piece of work for the page of preparation. The server runs it; people do not.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Does one piece of work for the page /prepare.", shouldDisplay: false)

    @Argument(help: "The folder with the order.")
    var folder: String

    func run() async throws {
        // A server that was killed begins the same task again at its next start; this one must not go on beside it.
        ReferenceJobLine.endWithParent()
        try await printingErrors(as: "work") { try await OrderedWork.perform(in: folder) }
    }
}
