import Foundation

/// One line of the output of `baton recordings use`, by which a server follows the work.
package enum ReferenceJobLine: Equatable, Sendable {
    case progress(stage: String, share: Double?)
    /// A piece's result as JSON.
    case made([UInt8])
    case failed(piece: String, sentence: String)

    private struct Document: Codable {
        struct Failure: Codable {
            var piece: String
            var sentence: String
        }

        var stage: String?
        var share: Double?
        /// JSON as text, because only the page reads it.
        var made: String?
        var failed: Failure?
    }

    init?(_ text: some StringProtocol) {
        guard let read = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)) else { return nil }
        if let made = read.made {
            self = .made(Array(made.utf8))
        } else if let failed = read.failed {
            self = .failed(piece: failed.piece, sentence: failed.sentence)
        } else if let stage = read.stage {
            self = .progress(stage: stage, share: read.share)
        } else {
            return nil
        }
    }

    package func print() {
        var document = Document()
        switch self {
        case .progress(let stage, let share): (document.stage, document.share) = (stage, share)
        case .made(let json): document.made = String(decoding: json, as: UTF8.self)
        case .failed(let piece, let sentence): document.failed = .init(piece: piece, sentence: sentence)
        }
        guard var line = try? JSONEncoder().encode(document) else { return }
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
