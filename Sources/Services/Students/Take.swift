import Basics
import Foundation
import Hosting
import Sound

/// A take that a student sent for a report: what was played, and what happened to the sound. Saved as `take.json` beside
/// `take.flac`.
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
    /// The length of the sound; nil while it is being written, or if the server ended before that was done.
    var seconds: Double?
    /// Seconds of silence for sound that the microphone did not give.
    var lostSeconds = 0.0
    /// The browser's processing of the sound: each setting with `on`, `off` or `unknown`.
    var processing: [String: String] = [:]
    /// The sentence why the take is shorter than what was sent; nil if it is whole.
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
    case badSound(sentence: String)

    var sentence: String {
        switch self {
        case .missing: "This take no longer exists. Reload the list."
        case .tooMany(let most): "You have \(most) takes, the most that are kept. Delete some first."
        case .tooLarge(let bytes):
            "Your takes fill \(bytes >> 20) MB, the most there may be. Delete some first."
        case .diskFull:
            "The server's disk is nearly full, and the rest of it is kept for the show. Nothing more is kept."
        case .notWritten(let reason): "The take could not be kept on the server's disk: \(reason)."
        case .badSound(let sentence): sentence
        }
    }
}

/// Writes the sound of a take.
final class TakeWriter {
    /// A take is kept up to this length.
    static let longestSeconds = 3_600.0
    /// The rates of microphones, in hertz.
    static let rates = 8_000.0...192_000.0

    let folder: String
    private var take: Take
    private let rate: SampleRate
    private let reserve: DiskReserve
    private let file: GrowingFLACFile
    private var sinceLookAtDisk = 0
    /// The sentence why nothing more is written; nil if all is well.
    private(set) var trouble: String?

    init(folder: String, take: Take, rate: SampleRate, reserve: DiskReserve? = nil) throws(TakeFault) {
        (self.folder, self.take, self.rate) = (folder, take, rate)
        self.reserve = reserve ?? DiskReserve(folder: folder)
        do throws(SoundFileError) {
            file = try GrowingFLACFile(path: folder + "/" + Take.soundFile, rate: rate)
        } catch { throw .notWritten(reason: error.sentence) }
    }

    /// Writes all of a recording, or as much as a take may hold.
    func write(_ sound: SoundFileReader) throws(TakeFault) {
        var block = [Float](repeating: 0, count: Int(rate.hertz))
        while trouble == nil {
            let count: Int
            do throws(SoundFileError) {
                count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                    try sound.read(into: buffer)
                }
            } catch { throw .badSound(sentence: error.sentence) }
            guard count > 0 else { return }
            write(block[..<count])
        }
    }

    /// - Parameter samples: full scale ±1.
    func write(_ samples: ArraySlice<Float>) {
        guard trouble == nil else { return }
        guard Double(file.writtenFrameCount + samples.count) <= Self.longestSeconds * rate.hertz else {
            trouble = "The take is kept up to \(Int(Self.longestSeconds / 60)) minutes."
            return
        }
        do throws(SoundFileError) {
            try samples.withUnsafeBufferPointer { samples throws(SoundFileError) in try file.write(samples) }
        } catch {
            trouble = "The take could not be written any more: \(error.sentence)"
            return
        }
        sinceLookAtDisk += samples.count
        if Double(sinceLookAtDisk) > 2 * rate.hertz {
            sinceLookAtDisk = 0
            if !reserve.hasRoom { trouble = TakeFault.diskFull.sentence }
        }
    }

    /// Completes the file and its description; both are on the disk when this returns.
    /// - Parameter lostSeconds: of silence for sound that the microphone did not give.
    func close(lostSeconds: Double) throws(TakeFault) {
        do throws(SoundFileError) { try file.close() } catch { throw .notWritten(reason: error.sentence) }
        take.seconds = Double(file.writtenFrameCount) / rate.hertz
        take.lostSeconds = lostSeconds.isFinite ? min(max(lostSeconds, 0), take.seconds ?? 0) : 0
        take.trouble = trouble
        try TakeStore.save(take, in: folder)
    }
}
