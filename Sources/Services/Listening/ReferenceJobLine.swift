import Foundation

/// One line of the output of `baton recordings use`, by which a server follows the work.
package enum ReferenceJobLine: Codable, Equatable, Sendable {
    case progress(stage: String, share: Double?)
    case made(EveningReferenceResult)
    case failed(piece: String, sentence: String)

    /// - Returns: nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = read
    }

    /// Writes the line to standard output.
    package func print() {
        guard var line = try? JSONEncoder().encode(self) else { return }
        line.append(0x0A)
        try? FileHandle.standardOutput.write(contentsOf: line)
    }

    /// Ends this process within a second after the process that started it, so that no work goes on for a server that
    /// was killed.
    package static func endWithParent() {
        let parent = getppid()
        let thread = Thread {
            while getppid() == parent { sleep(1) }
            exit(1)
        }
        thread.name = "parent"
        thread.start()
    }
}
