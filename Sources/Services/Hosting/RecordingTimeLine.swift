import Basics
import Score
import TimeCode

/// The time line by which something follows a piece: the reference's own seconds, or those of another recording of the
/// piece, such as a film, with bar lines of its own.
package struct RecordingTimeLine: Equatable, Sendable {
    /// Converts seconds of the reference to those of the other recording; nil if they are the same.
    private let conversion: BarLineConversion?
    /// Converts seconds of this time line to beats; nil if the beats of a bar are not known.
    package let beats: BarLineConversion?
    /// Why nothing can follow by the other recording; nil if all is well.
    package let trouble: String?

    /// - Parameters:
    ///   - recording: the bar lines of the other recording in seconds; nil for the reference's own time.
    ///   - source: where those bar lines come from, for the sentence of ``trouble``: an option or a file.
    package init(
        of measures: MeasureMap, name: String, beatsPerBar: Int? = nil, recording: [Double]?, source: String
    ) {
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
                    : "\(source) has \(found) bars as played, and “\(name)” has \(count), so it cannot follow; "
                        + "write its bar lines anew, with as many bars as are played."
            }
    }

    /// The observation in the time of the other recording; one of music that has not begun if there is ``trouble``.
    package func convert(_ observation: CodeClock.Observation) -> CodeClock.Observation {
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
