import Catalogue
import Concert
import Score
import WebServer

/// Serves the files of a concert to browsers.
package enum ConcertFileResponses {
    package static let notesFileName = "ProgramNotes.pdf"
    package static let glossaryFileName = "glossary.xml"

    /// Makes the HTTP response with a concert's file. Its security policy prevents scripts in the file from running.
    package static func answer(_ asset: ContentAsset, _ shelf: AssetStore) -> WebResponse {
        guard let asset = StoredSVGCheck.servable(asset, from: shelf),
            let path = shelf.path(of: asset.digest)
        else { return missing(asset.name.text) }
        let policy =
            asset.type == ContentAssetKind.pdf.type
            ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'"
            : "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        return WebResponse.file(path, contentType: asset.type, tag: String(asset.digest.prefix(32)))
            .withHeader("Content-Security-Policy", policy)
            .withHeader("Content-Disposition", "inline")
    }

    package static func missing(_ name: String) -> WebResponse {
        .plainText(404, "There is no file “\(CleanText.line(name).prefix(200))”.\n")
    }
}
