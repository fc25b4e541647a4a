/// The sections of a piece as the page's timeline shows them; similar sections have similar colours.
public struct PieceStructure: Hashable, Sendable {
    /// The sections in performance order, with strictly rising starts; at least one.
    public let sections: [Section]
    /// The first played measure after the last section.
    public let endMeasure: Int

    /// One section of the piece. It ends where the next one starts.
    public struct Section: Hashable, Sendable {
        public var label: String
        public var colour: SectionColour
        /// The section's first measure, as an index into ``MeasureMap/marks``.
        public var firstMeasure: Int

        public init(label: String, colour: SectionColour, firstMeasure: Int) {
            self.label = label
            self.colour = colour
            self.firstMeasure = firstMeasure
        }
    }

    /// Creates a structure after checking that the sections rise and the end is after them.
    /// - Throws: ``PieceStructureFault`` naming the first section that is wrong.
    public init(sections: [Section], endMeasure: Int) throws(PieceStructureFault) {
        guard let last = sections.last else { throw .empty }
        for (index, section) in sections.enumerated() {
            let floor = index == 0 ? -1 : sections[index - 1].firstMeasure
            guard section.firstMeasure > floor else {
                throw .notRising(label: section.label, start: section.firstMeasure)
            }
        }
        guard endMeasure > last.firstMeasure else {
            throw .endsBeforeLastSection(end: endMeasure, start: last.firstMeasure)
        }
        self.sections = sections
        self.endMeasure = endMeasure
    }

    /// The section to which a played measure belongs; nil before the first section and after the end.
    /// - Complexity: O(sections).
    public func section(at played: Int) -> Section? {
        played < endMeasure ? sections.last { $0.firstMeasure <= played } : nil
    }
}

/// The colour of a section: a name that web pages understand, or red, green and blue.
public enum SectionColour: Hashable, Sendable {
    case name(String)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The first mistake in a list of sections.
public enum PieceStructureFault: Error, Hashable, Sendable {
    case empty
    case notRising(label: String, start: Int)
    case endsBeforeLastSection(end: Int, start: Int)

    /// Says what is wrong and what to do.
    public var sentence: String {
        switch self {
        case .empty:
            "There is no section; give at least one, and where the last one ends."
        case .notRising(let label, let start):
            "The section “\(label)” starts at played measure \(start), not after the one before it; "
                + "put the sections in the order in which they are played."
        case .endsBeforeLastSection(let end, let start):
            "The structure ends at played measure \(end), but its last section starts at \(start); correct the end."
        }
    }
}
