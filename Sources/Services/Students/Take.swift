import Basics
import Foundation
import Hosting
import Sound

/// A take that a student kept: what was played, and how it came to the server. Saved as `take.json` beside `take.flac`.
struct Take: Codable, Equatable, Sendable {
    /// The folder of the piece's model.
    var piece: String
    var pieceName: String
    /// The id of the tab of which the piece is one version; nil for pieces of the house.
    var tab: String?
    /// Milliseconds since 1970.
    var startedAt: Int64
    /// When the piece was put beside the sound, in milliseconds since 1970: at the beginning, or later for takes of
    /// versions of the program that did not keep it. Nil if it was never.
    var pieceKeptAt: Int64?
    /// The length of the sound; nil while it is being played, or if the server ended before the take did.
    var seconds: Double?
    /// Seconds of silence for sound that did not arrive.
    var lostSeconds = 0.0
    /// The browser's processing of the sound: each setting with `on`, `off` or `unknown`.
    var processing: [String: String] = [:]
    /// The sentence why the take ended before the student did; nil if it did not.
    var trouble: String?

    static let descriptionFile = "take.json"
    static let soundFile = "take.flac"
}

/// Why a take cannot be kept, found or deleted.
enum TakeFault: Explained, Equatable {
    case missing
    case tooMany(Int)
    case tooLarge(bytes: Int)
    case diskFull
    case notWritten(reason: String)

    var sentence: String {
        switch self {
        case .missing: "This take no longer exists. Reload the list."
        case .tooMany(let most): "You have \(most) takes, the most that are kept. Delete some first."
        case .tooLarge(let bytes):
            "Your takes fill \(bytes >> 20) MB, the most there may be. Delete some first."
        case .diskFull:
            "The server's disk is nearly full, and the rest of it is kept for the show. Nothing more is kept."
        case .notWritten(let reason): "The take could not be kept on the server's disk: \(reason)."
        }
    }
}

/// Writes the sound of a take while it is played.
final class TakeWriter {
    /// A take is kept up to this length; what comes later is followed and not kept.
    static let longestSeconds = 3_600.0

    let folder: String
    private var take: Take
    private let rate: SampleRate
    private let reserve: DiskReserve
    private let file: GrowingFLACFile
    private var sinceCheckpoint = 0
    /// The sentence why nothing more is written; nil if all is well.
    private(set) var trouble: String?
    private var buffer: [Float] = []

    init(folder: String, take: Take, rate: SampleRate, reserve: DiskReserve? = nil) throws(TakeFault) {
        (self.folder, self.take, self.rate) = (folder, take, rate)
        self.reserve = reserve ?? DiskReserve(folder: folder)
        do throws(SoundFileError) {
            file = try GrowingFLACFile(path: folder + "/" + Take.soundFile, rate: rate)
        } catch { throw .notWritten(reason: error.sentence) }
    }

    /// True as long as no sound is in the file.
    var isEmpty: Bool { file.writtenFrameCount == 0 }

    func write(_ piece: BlockSequencer.Piece) {
        guard trouble == nil else { return }
        switch piece {
        case .samples(let samples):
            buffer.removeAll(keepingCapacity: true)
            buffer.append(contentsOf: samples.lazy.map { Float($0) / 32_768 })
        case .silence(let count): buffer = [Float](repeating: 0, count: count)
        }
        guard Double(file.writtenFrameCount + buffer.count) <= Self.longestSeconds * rate.hertz else {
            trouble = "The take is kept up to \(Int(Self.longestSeconds / 60)) minutes."
            return
        }
        do throws(SoundFileError) {
            try buffer.withUnsafeBufferPointer { buffer throws(SoundFileError) in try file.write(buffer) }
            sinceCheckpoint += buffer.count
            if Double(sinceCheckpoint) > 2 * rate.hertz {
                sinceCheckpoint = 0
                try file.checkpoint()
                if !reserve.hasRoom { trouble = TakeFault.diskFull.sentence }
            }
        } catch { trouble = "The take could not be written any more: \(error.sentence)" }
    }

    /// Completes the file and its description; both are on the disk when this returns.
    func close(lostSamples: Int) throws(TakeFault) {
        do throws(SoundFileError) { try file.close() } catch { throw .notWritten(reason: error.sentence) }
        take.seconds = Double(file.writtenFrameCount) / rate.hertz
        take.lostSeconds = Double(lostSamples) / rate.hertz
        take.trouble = trouble
        try TakeStore.save(take, in: folder)
    }
}
