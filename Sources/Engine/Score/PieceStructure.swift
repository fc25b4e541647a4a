/// The sections of a piece as the page's timeline shows them; similar sections have similar colours.
public struct PieceStructure: Hashable, Sendable {
    /// The sections in performance order, with strictly rising starts; at least one.
    public let sections: [Section]
    /// The first played measure after the last section.
    public let measureAfterLastSection: Int

    /// One section of the piece. It ends where the next one starts.
    public struct Section: Hashable, Sendable {
        public var label: String
        public var colour: SectionColour
        /// The section's first measure, as an index into ``MeasureMap/marks``.
        public var firstPlayedMeasure: Int

        public init(label: String, colour: SectionColour, firstPlayedMeasure: Int) {
            self.label = label
            self.colour = colour
            self.firstPlayedMeasure = firstPlayedMeasure
        }
    }

    /// Creates a structure after checking that the sections rise and the end is after them.
    /// - Throws: ``PieceStructureFault`` naming the first section that is wrong.
    public init(sections: [Section], measureAfterLastSection: Int) throws(PieceStructureFault) {
        guard let last = sections.last else { throw .empty }
        for (index, section) in sections.enumerated() {
            let floor = index == 0 ? -1 : sections[index - 1].firstPlayedMeasure
            guard section.firstPlayedMeasure > floor else {
                throw .sectionsNotRising(label: section.label, start: section.firstPlayedMeasure)
            }
        }
        guard measureAfterLastSection > last.firstPlayedMeasure else {
            throw .endsBeforeLastSection(end: measureAfterLastSection, start: last.firstPlayedMeasure)
        }
        self.sections = sections
        self.measureAfterLastSection = measureAfterLastSection
    }

    /// The section to which a played measure belongs; nil before the first section and after the end.
    /// - Complexity: O(sections).
    public func section(at played: Int) -> Section? {
        played < measureAfterLastSection ? sections.last { $0.firstPlayedMeasure <= played } : nil
    }
}

/// The colour of a section: a name that web pages understand, or red, green and blue.
public enum SectionColour: Hashable, Sendable {
    case webColourName(String)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The first mistake in a list of sections.
public enum PieceStructureFault: Error, Hashable, Sendable {
    case empty
    case sectionsNotRising(label: String, start: Int)
    case endsBeforeLastSection(end: Int, start: Int)

    /// Says what is wrong and what to do.
    public var sentence: String {
        switch self {
        case .empty:
            "There is no section; give at least one, and where the last one ends."
        case .sectionsNotRising(let label, let start):
            "The section “\(label)” starts at played measure \(start), not after the one before it; "
                + "put the sections in the order in which they are played."
        case .endsBeforeLastSection(let end, let start):
            "The structure ends at played measure \(end), but its last section starts at \(start); correct the end."
        }
    }
}
