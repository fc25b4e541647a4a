import Score

/// Checks content for mistakes that listeners would notice.
public enum ContentCheck {
    /// Assumed reading speed in the dark with divided attention, in characters per second.
    public static let readCharactersPerSecond = 15.0
    /// Longest recommended slide, in characters. Concert halls that tried longer texts found that nobody read them.
    public static let longSlideCharacters = 240
    /// Allowed difference between the time of a slide and the onset of its measure, in seconds. Existing files round
    /// times to whole seconds.
    public static let timeToleranceSeconds = 1.5

    /// Checks a whole concert.
    /// - Parameter assets: the names of the existing images; nil if they are unknown, so that no image is reported
    ///   missing.
    /// - Returns: findings in the order of the concert: names, pieces, glossary.
    /// - Complexity: O(slides log measures + text × glossary words with the same first letter).
    public static func findings(in concert: ConcertContent, assets: Set<AssetName>? = nil) -> [ContentFinding]
    {
        var findings = nameAndDateFindings(concert)
        for (index, piece) in concert.pieces.enumerated() {
            findings += self.findings(in: piece, at: index, assets: assets)
        }
        findings += languageFindings(concert.pieces) + castFindings(concert.cast, assets: assets)
        return findings + glossaryFindings(concert, assets: assets)
    }

    /// Checks one piece.
    public static func findings(
        in piece: PieceContent, at index: Int, assets: Set<AssetName>? = nil
    ) -> [ContentFinding] {
        measureFindings(piece, at: index) + trackFindings(piece, at: index, assets: assets)
            + structureFindings(piece, at: index)
    }

    private static func nameAndDateFindings(_ concert: ConcertContent) -> [ContentFinding] {
        var findings: [ContentFinding] = []
        if let date = concert.date, let fault = ConcertDate.fault(in: date) {
            findings.append(
                ContentFinding(.date, .warning, at: FindingLocation(), "The concert's date: \(fault)"))
        }
        var folders: [String: Int] = [:]
        for (index, piece) in concert.pieces.enumerated() {
            let place = FindingLocation(piece: index)
            if let fault = piece.name.concertNameFault {
                findings.append(
                    ContentFinding(.pieceName, fault.isRefused ? .error : .warning, at: place, fault.sentence)
                )
            }
            // A client that ignores spaces and punctuation, or that keeps a folder for each piece, would confuse
            // such names.
            if let first = folders[piece.name.offlineFolderName.lowercased()] {
                let isSame = concert.pieces[first].name == piece.name
                findings.append(
                    ContentFinding(
                        isSame ? .sameName : .sameFolder, .error, at: place,
                        "Pieces \(first + 1) and \(index + 1) have "
                            + (isSame ? "the same name" : "names that differ only in blanks and signs")
                            + ", “\(piece.name)”; phones would show one of them only: give each its own name."
                    ))
            } else {
                folders[piece.name.offlineFolderName.lowercased()] = index
            }
        }
        return findings
    }

    private static func castFindings(_ cast: [Performer], assets: Set<AssetName>?) -> [ContentFinding] {
        cast.compactMap { performer in
            guard let portrait = performer.portrait, let assets, !assets.contains(portrait) else {
                return nil
            }
            return ContentFinding(
                .missingImage, .error, at: FindingLocation(),
                "The portrait “\(portrait)” of “\(performer.name)” is missing; upload it or correct its name."
            )
        }
    }

    private static func measureFindings(_ piece: PieceContent, at index: Int) -> [ContentFinding] {
        let place = FindingLocation(piece: index)
        guard let first = piece.measures.first else {
            return [
                ContentFinding(
                    .noMeasures, .error, at: place,
                    "“\(piece.name)” has no measure times, so that no slide would ever change; import them.")
            ]
        }
        var findings: [ContentFinding] = []
        var last = first
        for mark in piece.measures.dropFirst() {
            guard mark.onset > last.onset else {
                findings.append(
                    ContentFinding(
                        .measuresNotRising, .error, at: place,
                        "In “\(piece.name)” measure \(mark.printed) starts at "
                            + "\(XMLText.formatSeconds(mark.onset)) s, not after the one before it; "
                            + "put the measure times in the order they are played."
                    ))
                break
            }
            last = mark
        }
        let highest = piece.measures.map(\.printed).max() ?? 0
        if piece.measureCount != piece.measures.count, piece.measureCount != highest {
            findings.append(
                ContentFinding(
                    .measureCount, .hint, at: place,
                    "“\(piece.name)” claims \(piece.measureCount) measures, but \(piece.measures.count) have times; "
                        + "correct the count."))
        }
        return findings
    }
}
