import Basics
import Foundation
import ScoreFiles
import TakeReport

/// The notes of a piece as its score has them.
extension PieceNotes {
    /// A key that was struck, also while it sounded.
    private struct SoundingKey {
        var start: Int
        /// The notes before it on this key whose end is still to come.
        var earlierEnds: Int
    }

    /// Why the notes of a piece are not known, as a sentence.
    struct Fault: Error { var sentence: String }

    /// The endings of a score beside the recordings of a piece, in the order in which they are looked for.
    private static let endings = ["musicxml", "mxl", "mid"]

    /// The path of the score in a folder: `score.musicxml`, `.mxl` or `.mid`; nil if there is none.
    static func scorePath(in folder: String) -> String? {
        endings.map { "\(folder)/score.\($0)" }.first(where: FileManager.default.fileExists)
    }

    /// Reads the score in a folder.
    /// - Parameter bars: the number of played bars of the piece's model, which the score must have too.
    static func read(in folder: String, bars: Int) async throws(Fault) -> PieceNotes {
        guard let path = scorePath(in: folder) else {
            throw Fault(sentence: "This piece has no score on the server, so that only its bars are judged.")
        }
        let tools = ExternalRenderingTools.findTools(
            environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            program: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath())
        let music: NotatedMusic
        do throws(ExplainedError) {
            music = try await ScoreFileReader(tools: tools).readMusic(at: URL(fileURLWithPath: path))
        } catch { throw Fault(sentence: "The notes are not judged: \(error.sentence)") }
        guard music.playedMeasures.count == bars else {
            throw Fault(
                sentence:
                    "The notes are not judged: the score has \(music.playedMeasures.count) played bars, the "
                    + "recording of the piece \(bars).")
        }
        return PieceNotes(music)
    }

    init(_ music: NotatedMusic) {
        let starts = music.playedMeasures.map(\.startTick) + [music.endTick]
        func bar(_ tick: Int) -> Double {
            let after = starts.firstIndex { $0 > tick } ?? starts.count - 1
            let index = max(min(after, starts.count - 1) - 1, 0)
            let length = max(starts[index + 1] - starts[index], 1)
            return Double(index) + min(max(Double(tick - starts[index]) / Double(length), 0), 1)
        }
        var found: [Note] = []
        for track in music.sequence.tracks {
            var sounding: [UInt16: SoundingKey] = [:]
            func end(_ key: UInt16, _ start: Int, at tick: Int) {
                guard tick > start else { return }
                found.append(Note(pitch: Int(key & 0x7F), bar: bar(start), end: bar(tick)))
            }
            for event in track.events {
                switch event.message {
                // The tenth channel holds drums, which have no pitch.
                case .noteOn(let channel, let key, let velocity) where velocity > 0 && channel != 9:
                    // Two strings may have the same pitch: the one that rings is heard as far as the other one.
                    let id = UInt16(channel) << 8 | UInt16(key)
                    let before = sounding[id]
                    if let before { end(id, before.start, at: event.tick) }
                    sounding[id] = SoundingKey(
                        start: event.tick, earlierEnds: before.map { $0.earlierEnds + 1 } ?? 0)
                case .noteOn(let channel, let key, _), .noteOff(let channel, let key):
                    let id = UInt16(channel) << 8 | UInt16(key)
                    guard let key = sounding[id] else { continue }
                    if key.earlierEnds > 0 {
                        sounding[id]?.earlierEnds -= 1
                    } else {
                        end(id, key.start, at: event.tick)
                        sounding[id] = nil
                    }
                default: continue
                }
            }
            for (id, key) in sounding { end(id, key.start, at: music.endTick) }
        }
        self.init(notes: found.sorted { ($0.bar, $0.pitch) < ($1.bar, $1.pitch) })
    }
}
