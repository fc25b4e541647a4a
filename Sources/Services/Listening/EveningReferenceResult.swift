/// The reference that was made from a recorded evening, for people and pages.
package struct EveningReferenceResult: Equatable, Sendable, Codable {
    /// A passage of the evening that became a part of the reference.
    package struct Segment: Equatable, Sendable, Codable {
        /// Printed numbers of its first and last bars.
        package var from, to: Int
        package var place: RecordingPlace
        package var seconds: Double

        package init(from: Int, to: Int, place: RecordingPlace, seconds: Double) {
            (self.from, self.to, self.place, self.seconds) = (from, to, place, seconds)
        }
    }

    /// A bar that a person should check by ear.
    package struct DoubtfulBar: Equatable, Sendable, Codable {
        /// The bar's number in the order of performance, counted from 1; one more than the last is the end.
        package var played: Int
        /// Nil for the end of the last bar.
        package var printed: Int?
        package var place: RecordingPlace
        package var reasons: [String]

        package init(played: Int, printed: Int?, place: RecordingPlace, reasons: [String]) {
            (self.played, self.printed, self.place, self.reasons) = (played, printed, place, reasons)
        }
    }

    /// The piece's folder.
    package var piece: String
    package var name: String
    package var reference: String
    package var isWritten: Bool
    /// The number of played bars.
    package var measures: Int
    /// The place at which the reference's own time begins.
    package var begins: RecordingPlace
    package var segments: [Segment]
    package var doubtful: [DoubtfulBar]
    package var sentences: [String]

    package init(
        piece: String, name: String, reference: String, isWritten: Bool, measures: Int,
        begins: RecordingPlace,
        segments: [Segment], doubtful: [DoubtfulBar], sentences: [String]
    ) {
        (self.piece, self.name, self.reference) = (piece, name, reference)
        (self.isWritten, self.measures) = (isWritten, measures)
        (self.begins, self.segments) = (begins, segments)
        (self.doubtful, self.sentences) = (doubtful, sentences)
    }
}

/// A moment of a recorded evening: the part's number, and the seconds from its beginning.
package struct RecordingPlace: Equatable, Sendable, Codable {
    package var part: Int
    package var seconds: Double

    package init(part: Int, seconds: Double) { (self.part, self.seconds) = (part, seconds) }
}
