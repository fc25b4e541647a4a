import Concert
import Podium
import Score
import ScoreFiles
import Titles

/// Titles in content XML, the format of the slides: a track named “Titles” or, for each language, “Titles (de)”.
///
/// The format holds bars and texts only. Titles without a bar are left out on export, and italics, fades, leads, double
/// cuts, positions and notes are lost. On import any track can be taken: its slides become titles at the same bars, without
/// their pictures.
package enum TitleContentXML {
    private static let trackName = "Titles"

    /// Reads the titles of a piece.
    /// - Parameters:
    ///   - name: the file's name, for sentences.
    ///   - tracks: the names of the tracks to take, one for each language; none takes the tracks named “Titles”, or
    ///     the only track.
    /// - Throws: ``TitleImportFault`` with a sentence.
    package static func readTitles(
        _ bytes: [UInt8], name: String, for piece: ShowPiece, tracks: [String] = []
    ) throws(TitleImportFault) -> TitleList {
        let pieces: [PieceContent]
        do throws(ContentFileError) {
            pieces = try ContentXMLReader.readPieces(in: bytes, path: name).pieces
        } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
        let content = try findPiece(named: piece.name, in: pieces)
        let found = try chooseTracks(tracks, of: content)
        if let longest = found.map(\.slides.count).max(), longest > TitleList.maximumCount {
            throw TitleImportFault(sentence: TitleFault.tooManyTitles(longest).sentence)
        }
        let titles = makeTitles(of: found, measures: content.measures)
        do throws(TitleFault) { return try piece.findMeasures(of: titles) } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
    }

    /// Writes the titles that have a bar as the tracks of a piece.
    package static func write(_ piece: ShowPiece) -> [UInt8] {
        let tracks = piece.titles.languages.map { language in
            Track(
                name: language.isEmpty ? trackName : "\(trackName) (\(language))",
                slides: piece.titles.titles.compactMap { title in
                    guard let played = title.played else { return nil }
                    let mark = piece.measures.marks[played]
                    let text = title.texts.first { $0.language == language }?.text ?? ""
                    return Slide(
                        place: MeasureAnchor(printed: mark.printed, played: played, time: mark.onset),
                        // The format joins lines that no empty line divides.
                        text: SlideText(TitleMarkup.plain(text).replacing("\n", with: "\n\n")))
                })
        }
        return ContentXMLWriter.writeConcert([
            PieceContent(name: piece.name, measures: piece.measures.marks, tracks: tracks)
        ])
    }

    private static func findPiece(
        named name: PieceName, in pieces: [PieceContent]
    ) throws(TitleImportFault) -> PieceContent {
        if let piece = pieces.first(where: { $0.name == name }) ?? (pieces.count == 1 ? pieces[0] : nil) {
            return piece
        }
        throw TitleImportFault(
            sentence: pieces.isEmpty
                ? "The content XML has no piece; export the piece whose slides are meant."
                : "The content XML has no piece “\(name.text)”, only "
                    + pieces.prefix(5).map { "“\($0.name.text)”" }.joined(separator: ", ")
                    + "; give the piece this name, or export it alone.")
    }

    private static func chooseTracks(
        _ wanted: [String], of piece: PieceContent
    ) throws(TitleImportFault) -> [(language: String, slides: [Slide])] {
        let offered = piece.tracks.prefix(12).map { "“\($0.name)”" }.joined(separator: ", ")
        guard wanted.isEmpty else {
            var found: [(String, [Slide])] = []
            for name in wanted {
                guard let track = piece.tracks.first(where: { $0.name == name }) else {
                    throw TitleImportFault(
                        sentence: "The content XML has no track “\(name.prefix(60))”, only \(offered).")
                }
                found.append(
                    (language(of: name) ?? (wanted.count > 1 ? "\(found.count + 1)" : ""), track.slides))
            }
            return found
        }
        let named = piece.tracks.compactMap { track in language(of: track.name).map { ($0, track.slides) } }
        if !named.isEmpty { return named }
        guard piece.tracks.count == 1 else {
            throw TitleImportFault(
                sentence: piece.tracks.isEmpty
                    ? "The piece in the content XML has no track of slides; nothing can become titles."
                    : "The content XML has the tracks \(offered), and none is named “Titles”; name the track that "
                        + "becomes titles (--track NAME).")
        }
        return [("", piece.tracks[0].slides)]
    }

    /// The language in the name of a track of titles: “Titles (de)” is in `de`, “Titles” in a language without a name.
    /// - Returns: nil for other tracks.
    private static func language(of name: String) -> String? {
        if name == trackName { return "" }
        guard name.hasPrefix(trackName + " ("), name.hasSuffix(")") else { return nil }
        let tag = name.dropFirst(trackName.count + 2).dropLast()
        return tag.isEmpty || tag.utf8.count > 20 ? nil : String(tag)
    }

    /// Joins the slides of all languages that stand at the same place. Of several slides of one language at one bar,
    /// the later ones are shown by hand.
    private static func makeTitles(
        of tracks: [(language: String, slides: [Slide])], measures: [PlayedMeasure]
    ) -> [Title] {
        var places: [(played: Int, repetition: Int)] = []
        var texts: [[String: String]] = []
        for (language, slides) in tracks {
            var counts: [Int: Int] = [:]
            for slide in slides {
                guard let played = slide.place.played else { continue }
                let key = (played, counts[played, default: 0])
                counts[played, default: 0] += 1
                let text = slide.text.parts.compactMap { part in
                    if case .text(let words) = part { words } else { nil }
                }.joined(separator: "\n")
                let at = places.firstIndex { $0 >= key } ?? places.count
                if at == places.count || places[at] != key {
                    places.insert(key, at: at)
                    texts.insert([:], at: at)
                }
                texts[at][language] = text
            }
        }
        return zip(places, texts).map { place, texts in
            Title(
                texts: tracks.map { TitleText(language: $0.language, text: texts[$0.language] ?? "") },
                place: place.repetition == 0 ? reference(to: place.played, in: measures) : nil)
        }
    }

    private static func reference(to played: Int, in measures: [PlayedMeasure]) -> String {
        let printed = measures[played].printed
        let times = measures.indices.filter { measures[$0].printed == printed }
        guard times.count > 1, let time = times.firstIndex(of: played) else { return "\(printed)" }
        return "\(printed)/\(time + 1)"
    }
}
