import Basics
import Foundation
import Hosting
import Sound

/// The contents of `recording.json`: what was recorded, and the parts of the recording. Times of day are milliseconds
/// since 1970.
struct RecordingDescription: Codable, Equatable, Sendable {
    static let fileName = "recording.json"
    static let currentVersion = 1

    /// One file of sound, from a start of the recording to its next stop.
    struct Part: Codable, Equatable, Sendable {
        enum End: String, Codable, Sendable {
            /// The server was asked to stop.
            case stopped
            /// The next part goes on with the next sample.
            case continued
            /// The server was killed, or the machine lost its power.
            case interrupted
            /// The disk was full or failed.
            case failed
        }

        /// Counts from 1.
        var number: Int
        var startedAt: Int64
        /// Nil while the part is recorded, and after an interruption that nobody has looked at yet.
        var endedAt: Int64?
        var end: End?
        /// The time of the show at the part's first sample, in milliseconds, as in the show log; nil without a show.
        var showTime: Int64?
        /// The number of samples that are silence because the disk was too slow.
        var lostSampleCount: Int = 0

        var fileName: String { Self.fileName(number) }

        static func fileName(_ number: Int) -> String {
            let digits = String(number)
            return "part-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ".flac"
        }
    }

    var version = currentVersion
    var title: String
    /// The names of the pieces of the programme.
    var pieces: [String]
    /// The pieces' folders, in the same order.
    var folders: [String]
    var parts: [Part] = []

    /// Reads the description in a recording's folder. If it is missing or damaged, the files of sound still tell what
    /// there is.
    /// - Returns: nil if the folder contains neither, or a description of a later version of the program.
    init?(folder: String) {
        if let bytes = FileManager.default.contents(atPath: folder + "/" + Self.fileName),
            let read = try? JSONDecoder().decode(Self.self, from: bytes)
        {
            guard read.version <= Self.currentVersion else { return nil }
            self = read
            return
        }
        self.init(
            title: (folder as NSString).lastPathComponent, pieces: [], folders: [],
            parts: Self.findParts(in: folder))
        if parts.isEmpty { return nil }
    }

    init(title: String, pieces: [String], folders: [String], parts: [Part] = []) {
        (self.title, self.pieces, self.folders, self.parts) = (title, pieces, folders, parts)
    }

    /// Writes the description. A failure leaves the old one.
    func save(in folder: String) throws(RecordingFault) {
        let path = folder + "/" + Self.fileName
        do { try JSONFile.write(self, to: path) } catch {
            throw .notWritten(path: path, reason: RecordingFault.reason(error))
        }
    }

    private static func findParts(in folder: String) -> [Part] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name -> Part? in
            guard name.hasPrefix("part-"), name.hasSuffix(".flac"),
                let number = Int(name.dropFirst(5).dropLast(5)), Part.fileName(number) == name,
                let header = FLACStreamHeader(file: folder + "/" + name)
            else { return nil }
            var status = stat()
            stat(folder + "/" + name, &status)
            let ended = Int64(status.st_mtim.tv_sec) * 1_000
            return Part(number: number, startedAt: ended - Int64(header.seconds * 1_000))
        }.sorted { $0.number < $1.number }
    }
}

/// The reason why a recording could not be written, found or deleted.
package enum RecordingFault: Explained, Equatable {
    case notWritten(path: String, reason: String)
    case missing(name: String)
    case running(name: String)

    package var sentence: String {
        switch self {
        case .notWritten(let path, let reason):
            "“\(path)” could not be written: \(reason). Check the folder and its permissions."
        case .missing(let name):
            "There is no recording “\(name)”; the list shows those that there are."
        case .running(let name):
            "The recording “\(name)” is still running; it can be deleted after its server has ended or has begun "
                + "another show."
        }
    }

    /// The operating system's reason for an error of Foundation.
    static func reason(_ error: any Error) -> String {
        let cause =
            (error as? CocoaError)?.underlying ?? (error as NSError).userInfo[NSUnderlyingErrorKey]
            as? any Error
        let code =
            (cause as? POSIXError)?.code.rawValue ?? (cause.map { $0 as NSError }?.code).map(Int32.init)
        return code.map { String(cString: strerror($0)) } ?? "it cannot be written there"
    }
}
