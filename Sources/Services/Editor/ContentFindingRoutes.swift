import Catalogue
import Concert
import Content
import WebServer

/// Routes that check a concert and download it as files.
extension ContentEditRoutes {
    private struct FindingAnswer: Encodable {
        var rule: String
        var severity: String
        var sentence: String
        /// The node that the finding concerns.
        var node: String?
    }

    func respondWithFindings(_ document: CatalogueConcert, _ piece: String?) -> WebResponse {
        let all =
            concertEditor.findMeasureMapDifferences(in: document.concert)
            + ContentCheck.findings(in: document.concert, assets: document.imageNames)
        let found = all.map { finding in
            FindingAnswer(
                rule: finding.rule.rawValue, severity: finding.severity.rawValue, sentence: finding.sentence,
                node: document.node(at: finding.place)?.rawValue)
        }
        guard let piece else { return .json(found) }
        let index = document.pieceNodes.firstIndex { $0.id.rawValue == piece }
        return .json(zip(all, found).filter { index != nil && $0.0.place.piece == index }.map(\.1))
    }

    /// Answers the download of one file: `content.xml`, `glossary.xml`, `ID.xml` for one piece, or `ID.json` for the
    /// fields of a piece that XML cannot hold.
    func respondWithExportedFile(_ tree: ConcertTree, _ file: String) -> WebResponse {
        let document = CatalogueConcert(tree)
        let concert = document.concert
        func xml(_ bytes: [UInt8], _ name: String) -> WebResponse {
            WebResponse(contentType: "application/xml", body: bytes)
                .withHeader("Content-Disposition", "attachment; filename=\"\(name)\"")
        }
        if file == "content.xml" { return xml(ContentXMLWriter.writeConcert(concert.pieces), file) }
        if file == "glossary.xml" { return xml(GlossaryXMLWriter.writeGlossary(concert.glossary), file) }
        let words = file.split(separator: ".")
        guard words.count == 2,
            let index = document.pieceNodes.firstIndex(where: { $0.id.rawValue == words[0] })
        else {
            return .refused(
                404, "no-file",
                "There is content.xml, glossary.xml, and PIECE.xml and PIECE.json of each piece.")
        }
        let piece = concert.pieces[index]
        // HTTP header fields hold ASCII only, so other letters of the file name are dropped.
        let name = String(piece.name.offlineFolderName.unicodeScalars.filter(\.isASCII).map(Character.init))
        return words[1] == "json"
            ? .json(AudienceConcert.encodeJSON(PieceSupplement(of: piece)))
            : xml(ContentXMLWriter.writeConcert([piece]), name + ".xml")
    }
}

extension CatalogueConcert {
    /// The node that a finding concerns.
    package func node(at place: FindingLocation) -> ConcertNodeID? {
        if let item = place.glossaryItem {
            return glossaryNodeIDs.indices.contains(item) ? glossaryNodeIDs[item] : nil
        }
        guard let index = place.piece, pieceNodes.indices.contains(index) else { return nil }
        let piece = pieceNodes[index]
        if let section = place.section {
            return piece.sectionNodeIDs.indices.contains(section) ? piece.sectionNodeIDs[section] : piece.id
        }
        guard let track = place.track, piece.trackNodes.indices.contains(track) else { return piece.id }
        guard let slide = place.slide, piece.trackNodes[track].slides.indices.contains(slide) else {
            return piece.trackNodes[track].id
        }
        return piece.trackNodes[track].slides[slide]
    }
}
