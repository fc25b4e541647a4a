extension ContentCheck {
    /// Reports tracks that exist in some languages of the concert but are missing in others.
    static func languageFindings(_ pieces: [PieceContent]) -> [ContentFinding] {
        let languages = Set(pieces.flatMap(\.tracks).compactMap(\.language?.primarySubtag)).sorted()
        guard languages.count > 1 else { return [] }
        var findings: [ContentFinding] = []
        for (index, piece) in pieces.enumerated() {
            var order: [String] = []
            var found: [String: Set<Substring>] = [:]
            for track in piece.tracks {
                guard let language = track.language else { continue }
                let subject = track.subject ?? track.name
                if found[subject] == nil { order.append(subject) }
                found[subject, default: []].insert(language.primarySubtag)
            }
            for subject in order {
                for language in languages where !(found[subject] ?? []).contains(language) {
                    findings.append(
                        ContentFinding(
                            .languageGap, .warning, at: FindingLocation(piece: index),
                            "“\(piece.name)” has no track on “\(subject)” in the language "
                                + "“\(language)”, in which others are "
                                + "written; translate it."))
                }
            }
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
