import Score

extension ContentCheck {
    static func structureFindings(_ piece: PieceContent, at index: Int) -> [ContentFinding] {
        let structure = piece.structure
        guard !structure.isEmpty else { return [] }
        var findings: [ContentFinding] = []
        func add(_ rule: ContentRule, _ severity: FindingSeverity, _ section: Int?, _ sentence: String) {
            findings.append(
                ContentFinding(rule, severity, at: FindingLocation(piece: index, section: section), sentence))
        }

        var last = -1
        for (number, section) in structure.sections.enumerated() {
            let words = "section \(number + 1), “\(section.label)”, of “\(piece.name)”"
            if section.label.isEmpty {
                add(.emptyLabel, .warning, number, "There is no label on \(words); write one.")
            }
            if case .webColourName(let name) = section.colour, !ColourNames.isKnown(name) {
                add(
                    .colour, .error, number,
                    "The colour “\(name)” of \(words) is none that pages know; write a name such as orange, or red, "
                        + "green and blue as in 255,127,50.")
            }
            guard let played = section.place.played else {
                let measure = section.place.printed
                add(
                    .unknownMeasure, .error, number,
                    "Measure \(measure) of \(words) is not among the measures played; correct it.")
                continue
            }
            if played <= last {
                add(
                    .structureOrder, .error, number,
                    "The music of \(words) does not come after the section before it; put the sections in order."
                )
            }
            last = played
        }
        guard structure.end != nil else {
            add(
                .structureWithoutEnd, .error, nil,
                "The structure of “\(piece.name)” has no END, so that phones cannot draw its last section; add a "
                    + "page END where the music ends.")
            return findings
        }
        if let end = structure.endMeasureIndex(in: piece.measures) {
            if end <= last {
                add(
                    .structureOrder, .error, nil,
                    "The END of “\(piece.name)” is not after its last section; move it to where the music ends."
                )
            }
        } else {
            add(
                .unknownMeasure, .error, nil,
                "The measure of the END of “\(piece.name)” is not among the measures played; correct it.")
        }
        return findings
    }
}
