/// The moments at which frames, or quarters of them, begin in a stretch of code.
public struct CodeFrames: Sendable {
    /// The beginning of a part of a frame.
    public struct Start: Equatable, Sendable {
        /// The parts since midnight: frames, or quarters of frames.
        public var number: Int
        public var time: Double
    }

    private let partsInFrame: Int
    private var run: Int?
    private var last: Int?

    /// - Parameter partsInFrame: 1 for frames, 4 for quarters.
    public init(partsInFrame: Int) { self.partsInFrame = partsInFrame }

    /// Finds the parts that begin in a stretch, each once.
    /// - Parameters:
    ///   - frames: the frames since midnight at the stretch's beginning and end.
    ///   - times: when it begins and ends.
    /// - Returns: the parts, and true if the stretch begins a run at a new place.
    public mutating func starts(in frames: ClosedRange<Double>, times: ClosedRange<Double>, run: Int) -> (
        [Start], isNewPlace: Bool
    ) {
        let isNew = run != self.run
        self.run = run
        let parts = Double(partsInFrame)
        let (low, high) = (frames.lowerBound * parts, frames.upperBound * parts)
        var first = Int(low.rounded(.up))
        if !isNew, let last { first = max(first, last + 1) }
        var found: [Start] = []
        while Double(first) < high {
            let share = (Double(first) - low) / (high - low)
            found.append(
                Start(
                    number: first,
                    time: times.lowerBound + share * (times.upperBound - times.lowerBound)))
            first += 1
        }
        if let newest = found.last { last = newest.number } else if isNew { last = nil }
        return (found, isNew)
    }
}
