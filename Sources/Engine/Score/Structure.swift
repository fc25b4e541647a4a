/// The sections of a piece, as a timeline shows them: similar sections have similar colours.
public struct Structure: Hashable, Sendable {
    /// The sections in performance order, with strictly rising starts; at least one.
    public let sections: [Section]
    /// The first played measure after the last section.
    public let end: Int

    /// One section: from its first played measure up to the start of the next section.
    public struct Section: Hashable, Sendable {
        public var label: String
        public var colour: SectionColour
        /// Its first measure, as an index into ``MeasureMap/marks``.
        public var start: Int

        public init(label: String, colour: SectionColour, start: Int) {
            self.label = label
            self.colour = colour
            self.start = start
        }
    }

    /// - Throws: ``StructureFault`` naming the first section that breaks a rule.
    public init(sections: [Section], end: Int) throws(StructureFault) {
        guard let last = sections.last else { throw .empty }
        for (index, section) in sections.enumerated() {
            let floor = index == 0 ? -1 : sections[index - 1].start
            guard section.start > floor else {
                throw .notRising(label: section.label, start: section.start)
            }
        }
        guard end > last.start else { throw .endsBeforeLastSection(end: end, start: last.start) }
        self.sections = sections
        self.end = end
    }

    /// The section to which a played measure belongs; nil before the first section and after the end.
    /// - Complexity: O(sections).
    public func section(at played: Int) -> Section? {
        played < end ? sections.last { $0.start <= played } : nil
    }
}

/// The colour of a section: a name that web pages understand, or red, green and blue.
public enum SectionColour: Hashable, Sendable {
    case name(String)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// The first mistake in a list of sections.
public enum StructureFault: Error, Hashable, Sendable {
    case empty
    case notRising(label: String, start: Int)
    case endsBeforeLastSection(end: Int, start: Int)

    /// What is wrong and what to do.
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
