import Alignment
import Basics
import Features
import Following
import Score
import TakeReport

// The report on a take: the piece is given as for the follower, with the notes of its score; the take is listened to
// like a recording (baton_listen), and then examined.

nonisolated(unsafe) private var examination: TakeExamination?
nonisolated(unsafe) private var takeHertz = 0.0

/// Takes the next note of the score: its MIDI number, and the played bars with fractions at which it begins and ends.
@_cdecl("baton_add_note")
public func addNote(_ pitch: Int32, _ bar: Double, _ end: Double) {
    given.notes.append(PieceNotes.Note(pitch: Int(pitch), bar: bar, end: end))
}

/// Aligns the take that was listened to with the piece that was given.
/// - Parameters:
///   - end: the end of the last measure in seconds.
///   - rate: the samples a second of the take.
/// - Returns: 0 if it was done; 1 without a recording or a take, 2 if the measures make no sense.
@_cdecl("baton_examine")
public func examine(_ end: Double, _ rate: Double) -> Int32 {
    guard let piece = given.recordings.first, let take = extractor else { return 1 }
    let measures: MeasureMap
    do throws(MeasureMapFault) {
        measures = try MeasureMap(marks: given.measures, end: ReferenceTime(seconds: end))
    } catch { return 2 }
    (extractor, takeHertz) = (nil, rate)
    examination = TakeExamination(
        take.frames, cents: take.tuningCents, piece: piece.unpacked, measures: measures,
        framesPerSecond: framesPerSecond,
        notes: given.notes.isEmpty ? nil : PieceNotes(notes: given.notes))
    return 0
}

/// The second of the take from which on its sound is needed next; -1 if the report is complete.
@_cdecl("baton_examine_from")
public func nextSound() -> Double { examination?.nextSeconds?.lowerBound ?? -1 }

/// The second at which that sound ends.
@_cdecl("baton_examine_to")
public func nextSoundEnd() -> Double { examination?.nextSeconds?.upperBound ?? -1 }

/// Takes the sound that is needed next, as far as the take has it.
@_cdecl("baton_examine_push")
public func judge(_ samples: UnsafePointer<Float>, _ count: Int32) {
    examination?.judgeNotes(
        Array(UnsafeBufferPointer(start: samples, count: Int(count))), hertz: takeHertz,
        transforms: MixedRadixSpectrumMaker())
}

/// The report as JSON: four bytes with its length, then its bytes.
@_cdecl("baton_examine_end")
public func endExamination() -> UnsafeMutablePointer<UInt8> {
    let json = examination?.report.json ?? []
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 + json.count)
    UnsafeMutableRawPointer(text).storeBytes(of: UInt32(json.count), as: UInt32.self)
    for (index, byte) in json.enumerated() { text[4 + index] = byte }
    return text
}
