extension ContentCheck {
    /// Reports what exists in some languages of the concert but is missing in others: a subject, where tracks name
    /// theirs; otherwise a piece without any track in a language. Names of tracks prove nothing, since each language
    /// has its own.
    static func languageFindings(_ pieces: [PieceContent]) -> [ContentFinding] {
        let languages = Set(pieces.flatMap(\.tracks).compactMap(\.language?.primarySubtag)).sorted()
        guard languages.count > 1 else { return [] }
        var findings: [ContentFinding] = []
        for (index, piece) in pieces.enumerated() {
            var subjects: [String] = []
            var found: [String: Set<Substring>] = [:]
            var ofAnySubject: Set<Substring> = []
            for track in piece.tracks {
                guard let language = track.language?.primarySubtag else { continue }
                guard let subject = track.subject, !subject.isEmpty else {
                    ofAnySubject.insert(language)
                    continue
                }
                if found[subject] == nil { subjects.append(subject) }
                found[subject, default: []].insert(language)
            }
            func add(_ missing: String, _ language: Substring) {
                findings.append(
                    ContentFinding(
                        .languageGap, .warning, at: FindingLocation(piece: index),
                        "“\(piece.name)” has no track\(missing) in the language “\(language)”, in which others are "
                            + "written; translate it."))
            }
            // A track without a subject may be the translation of any other.
            for subject in subjects {
                for language in languages
                where !(found[subject] ?? []).contains(language) && !ofAnySubject.contains(language) {
                    add(" on “\(subject)”", language)
                }
            }
            guard subjects.isEmpty, !ofAnySubject.isEmpty else { continue }
            for language in languages where !ofAnySubject.contains(language) { add("", language) }
        }
        return findings
    }

    static func glossaryFindings(_ concert: ConcertContent, assets: Set<AssetName>?) -> [ContentFinding] {
        let items = concert.glossary.items
        guard !items.isEmpty else { return [] }
        var linkers: [Language?: GlossaryLinker] = [:]
        var used: Set<Int> = []
        for track in concert.pieces.flatMap(\.tracks) {
            let linker = linkers[track.language] ?? GlossaryLinker(concert.glossary, language: track.language)
            linkers[track.language] = linker
            for part in track.slides.flatMap(\.text.parts) {
                used.formUnion(linker.links(in: part.textOrCaption).map(\.item))
            }
        }
        var findings: [ContentFinding] = []
        struct Entry: Hashable {
            var word: [Unicode.Scalar]
            var language: Substring?
        }
        var names: [Entry: Int] = [:]
        for (index, item) in items.enumerated() {
            func add(_ rule: ContentRule, _ severity: FindingSeverity, _ sentence: String) {
                findings.append(
                    ContentFinding(rule, severity, at: FindingLocation(glossaryItem: index), sentence))
            }
            let folded = Entry(
                word: CaseAndAccentFoldedText(item.name).foldedScalars, language: item.language?.primarySubtag
            )
            if let first = names[folded] {
                add(
                    .glossaryTwice, .error,
                    "The word “\(item.name)” is in the glossary twice, as \(first + 1) and \(index + 1); join them."
                )
                continue
            }
            names[folded] = index
            if item.name.isEmpty || item.description.isEmpty {
                add(
                    .glossaryWithoutText, .error,
                    "Entry \(index + 1) of the glossary, “\(item.name)”, has no word or no description; write both."
                )
            }
            if !used.contains(index) {
                add(
                    .glossaryUnused, .warning,
                    "The word “\(item.name)” of the glossary is on no slide; use it or leave it out.")
            }
            if let image = item.image, let assets, !assets.contains(image) {
                add(
                    .missingImage, .error,
                    "The image “\(image)” of the word “\(item.name)” is missing; upload it or correct its name."
                )
            }
        }
        return findings
    }
}
