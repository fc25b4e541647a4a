import Hosting
import Podium
import Titles

/// A title in the JSON of the lists: as it is sent, and as it comes from editors.
struct TitleJSON: Encodable {
    var number: Int
    var texts: [String: String]
    @OrNull var place: String?
    /// The index of the title's bar among the played measures, from 0; nil for a title without a bar.
    @OrNull var played: Int?
    /// The printed number of the bar.
    @OrNull var measure: Int?
    /// The second of the reference recording at which it begins; nil for a title that only a person shows.
    @OrNull var seconds: Double?
    var lead: Double
    var fadeIn: Double
    var fadeOut: Double
    @OrNull var doubleCut: Double?
    @OrNull var position: String?
    var note: String
    var label: String

    init(_ title: Title, number: Int, seconds: Double?, of piece: ShowPiece) {
        self.number = number
        texts = Dictionary(
            title.texts.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first })
        lead = title.lead
        fadeIn = title.fadeIn
        fadeOut = title.fadeOut
        note = title.note
        label = title.label
        _seconds = OrNull(wrappedValue: seconds.map(roundedToThousandths))
        _place = OrNull(wrappedValue: title.place)
        _played = OrNull(wrappedValue: title.played)
        _measure = OrNull(wrappedValue: title.played.map { piece.printedMeasure(at: $0) })
        _doubleCut = OrNull(wrappedValue: title.doubleCut)
        _position = OrNull(wrappedValue: title.position?.rawValue)
    }
}

extension TitleJSON {
    static func all(of piece: ShowPiece) -> [TitleJSON] {
        zip(piece.titles.titles, piece.titleTimes).enumerated().map { index, title in
            TitleJSON(title.0, number: index + 1, seconds: title.1, of: piece)
        }
    }
}

/// A piece's titles with what an editor needs.
struct TitleListJSON: Encodable {
    /// The place in tonight's programme; null for a piece that is not in it.
    @OrNull var piece: Int?
    var name: String
    var folder: String
    /// The fingerprint of the list, which an edit names.
    var revision: String
    var languages: [String]
    /// The second of the reference recording at which each played measure begins, and that of the end.
    var measureSeconds: [Double]
    var titles: [TitleJSON]

    init(_ piece: ShowPiece, index: Int?) {
        _piece = OrNull(wrappedValue: index)
        name = piece.name.text
        folder = piece.folder
        revision = piece.titles.fingerprint
        languages = piece.titles.languages
        measureSeconds = (piece.measures.marks.map(\.onset) + [piece.measures.end]).map {
            roundedToThousandths($0.seconds)
        }
        titles = TitleJSON.all(of: piece)
    }
}

/// An edit of a list as editors send it.
struct WantedTitleEdit: Decodable {
    struct WantedTitle: Decodable {
        var texts: [String: String]
        var place: String?
        var lead: Double?
        var fadeIn: Double?
        var fadeOut: Double?
        var doubleCut: Double?
        var position: String?
        var note: String?
        var label: String?
    }

    /// The fingerprint of the list that is edited.
    var base: String
    var index: Int
    var remove: Int
    var insert: [WantedTitle]

    /// The edit, with the texts in the order of the list's languages and then of the tags.
    /// - Throws: ``TitleImportFault`` if a position is none.
    func edit(of list: TitleList) throws(TitleImportFault) -> TitleListEdit {
        let known = list.languages
        var titles: [Title] = []
        for wanted in insert {
            let edge = wanted.position.flatMap { $0.isEmpty ? nil : $0 }
            guard edge == nil || edge.flatMap(TitlePosition.init(rawValue:)) != nil else {
                throw TitleImportFault(sentence: "The position of a title is bottom, top, or left out.")
            }
            let languages =
                known.filter { wanted.texts[$0] != nil }
                + wanted.texts.keys.filter { !known.contains($0) }.sorted()
            titles.append(
                Title(
                    texts: languages.map {
                        TitleText(language: $0, text: withPlainLineEnds(wanted.texts[$0] ?? ""))
                    },
                    place: wanted.place.flatMap { $0.isEmpty ? nil : $0 }, lead: wanted.lead ?? 0,
                    fadeIn: wanted.fadeIn ?? 0, fadeOut: wanted.fadeOut ?? 0, doubleCut: wanted.doubleCut,
                    position: edge.flatMap(TitlePosition.init(rawValue:)),
                    note: withPlainLineEnds(wanted.note ?? ""), label: wanted.label ?? ""))
        }
        return TitleListEdit(base: base, index: index, removedCount: remove, inserted: titles)
    }
}
