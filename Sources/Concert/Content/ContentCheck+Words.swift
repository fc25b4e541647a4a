extension ContentCheck {
    /// A track that some languages of the concert have and others lack.
    static func languageFindings(_ pieces: [PieceContent]) -> [ContentFinding] {
        let languages = Set(pieces.flatMap(\.tracks).compactMap(\.language?.primary)).sorted()
        guard languages.count > 1 else { return [] }
        var findings: [ContentFinding] = []
        for (index, piece) in pieces.enumerated() {
            var order: [String] = []
            var found: [String: Set<Substring>] = [:]
            for track in piece.tracks {
                guard let language = track.language else { continue }
                let subject = track.subject ?? track.name
                if found[subject] == nil { order.append(subject) }
                found[subject, default: []].insert(language.primary)
            }
            for subject in order {
                for language in languages where !(found[subject] ?? []).contains(language) {
                    findings.append(
                        ContentFinding(
                            .languageGap, .warning, at: ContentPlace(piece: index),
                            "“\(piece.name)” has no track on “\(subject)” in the language “\(language)”, in which others are "
                                + "written; translate it."))
                }
            }
        }
        return findings
    }

    static func glossaryFindings(_ concert: ConcertContent, assets: Set<AssetName>?) -> [ContentFinding] {
        let items = concert.glossary.items
        guard !items.isEmpty else { return [] }
        let linker = GlossaryLinker(concert.glossary)
        var used: Set<Int> = []
        for slide in concert.pieces.flatMap(\.tracks).flatMap(\.slides) {
            for part in slide.text.parts { used.formUnion(linker.links(in: part.words).map(\.item)) }
        }
        var findings: [ContentFinding] = []
        var names: [[Unicode.Scalar]: Int] = [:]
        for (index, item) in items.enumerated() {
            func add(_ rule: ContentRule, _ severity: FindingSeverity, _ sentence: String) {
                findings.append(
                    ContentFinding(rule, severity, at: ContentPlace(glossaryItem: index), sentence))
            }
            let folded = FoldedText(item.name).scalars
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
