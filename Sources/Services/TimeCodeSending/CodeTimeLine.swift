import Basics
import Score
import TimeCode

/// The time line of a piece's code: the reference's own seconds, or those of another recording of the piece.
struct CodeTimeLine: Equatable, Sendable {
    /// Converts seconds of the reference to those of the code; nil if they are the same.
    private let conversion: BarLineConversion?
    /// Converts seconds of the code to beats; nil if the beats of a bar are not known.
    let beats: BarLineConversion?
    /// Why the code cannot have the time of the other recording; nil if all is well.
    let trouble: String?

    /// - Parameter recording: the bar lines of the other recording in seconds; nil for the reference's own time.
    init(of measures: MeasureMap, name: String, beatsPerBar: Int?, recording: [Double]?) {
        let reference = measures.marks.map(\.onset.seconds)
        let count = reference.count
        // The last bar goes on as in the reference.
        let length = measures.end.seconds - (reference.last ?? 0)
        let lines = recording.flatMap { $0.count == count ? $0 : nil } ?? reference
        let ends = lines + [(lines.last ?? 0) + length]
        conversion =
            recording == nil
            ? nil : BarLineConversion(seconds: reference + [measures.end.seconds], values: ends)
        beats = beatsPerBar.flatMap { beats in
            BarLineConversion(seconds: ends, values: (0...count).map { Double($0 * beats) })
        }
        trouble =
            recording.map(\.count).flatMap { found in
                found == count
                    ? nil
                    : "The recording for the time code of “\(name)” has \(found) bars as played, and the "
                        + "piece has \(count); no code is sent for it. Give its bar lines with --time-code-recording."
            }
    }

    /// The observation in the time of the code.
    func convert(_ observation: CodeClock.Observation) -> CodeClock.Observation {
        guard trouble == nil else {
            return CodeClock.Observation(piece: observation.piece, time: observation.time, music: .awaited)
        }
        guard let conversion, case .playing(let place, let tempo) = observation.music else {
            return observation
        }
        return CodeClock.Observation(
            piece: observation.piece, time: observation.time,
            music: .playing(at: conversion.value(at: place), tempo: tempo * conversion.slope(at: place)))
    }
}
