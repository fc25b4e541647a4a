import Basics
import Concert
import Score

/// Four printed measures of two seconds; the second half repeated: 1 2 3 4 3 4.
let sixMarks = [(1, 0.5), (2, 2.5), (3, 4.5), (4, 6.5), (3, 8.5), (4, 10.5)].map {
    PlayedMeasure(printed: $0.0, onset: ReferenceTime(seconds: $0.1))
}

func measurePlace(_ played: Int) -> MeasureAnchor {
    MeasureAnchor(printed: sixMarks[played].printed, played: played, time: sixMarks[played].onset)
}

func slide(_ played: Int, _ text: String = "Listen.") -> Slide {
    Slide(place: measurePlace(played), text: SlideText(text))
}

/// A piece nothing is wrong with.
func goodPiece(
    _ name: String = "Weber, Oberon: Overture", tracks: [Track]? = nil, structure: EditedPieceStructure? = nil
) throws -> PieceContent {
    PieceContent(
        name: try PieceName(name), measures: sixMarks,
        tracks: tracks ?? [
            Track(name: "The Music", slides: [slide(0, "A horn calls."), slide(4, "Once more.")])
        ],
        structure: structure
            ?? EditedPieceStructure(
                sections: [
                    ContentSection(
                        label: "Call", colour: .webColourName("orange"), key: KeySignature("D major"),
                        place: measurePlace(0)),
                    ContentSection(
                        label: "Answer", colour: .rgb(red: 1, green: 2, blue: 3), place: measurePlace(2)),
                ],
                end: MeasureAnchor(printed: 4, played: 5, time: ReferenceTime(seconds: 12.5))))
}

func rules(
    _ piece: PieceContent, glossary: [GlossaryItem] = [], assets: Set<AssetName>? = nil
) -> [ContentRule] {
    let concert = ConcertContent(title: "Tonight", pieces: [piece], glossary: Glossary(items: glossary))
    return ContentCheck.findings(in: concert, assets: assets).map(\.rule)
}
