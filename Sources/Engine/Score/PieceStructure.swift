import Basics

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
    /// - Throws: ``ExplainedError`` naming the first section that is wrong.
    public init(sections: [Section], measureAfterLastSection: Int) throws(ExplainedError) {
        guard let last = sections.last else {
            throw ExplainedError("There is no section; give at least one, and where the last one ends.")
        }
        for (index, section) in sections.enumerated() {
            let floor = index == 0 ? -1 : sections[index - 1].firstPlayedMeasure
            guard section.firstPlayedMeasure > floor else {
                throw ExplainedError(
                    "The section “\(section.label)” starts at played measure "
                        + "\(section.firstPlayedMeasure), not after the one before it; put the sections in "
                        + "the order in which they are played.")
            }
        }
        guard measureAfterLastSection > last.firstPlayedMeasure else {
            throw ExplainedError(
                "The structure ends at played measure \(measureAfterLastSection), but its last "
                    + "section starts at \(last.firstPlayedMeasure); correct the end.")
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
