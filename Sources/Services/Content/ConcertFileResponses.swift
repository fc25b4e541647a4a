import Catalogue
import Concert
import Score
import WebServer

/// Serves the files of a concert to browsers.
package enum ConcertFileResponses {
    package static let notesFileName = "ProgramNotes.pdf"
    package static let glossaryFileName = "glossary.xml"

    /// Makes the HTTP response with a concert's file. Its security policy prevents scripts in the file from running.
    package static func makeFileResponse(_ asset: ContentAsset, _ shelf: AssetStore) -> WebResponse {
        let isOriginal = asset.folder == .originals
        guard let asset = isOriginal ? asset : StoredPictureCheck.makeServable(asset, from: shelf),
            let path = shelf.path(of: asset.digest)
        else { return makeMissingFileResponse(asset.name.text) }
        let policy =
            asset.mediaType == AssetFileFormat.pdf.mediaType
            ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'"
            : "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        return WebResponse.file(path, contentType: asset.mediaType, tag: String(asset.digest.prefix(32)))
            .withHeader("Content-Security-Policy", policy)
            .withHeader("Content-Disposition", isOriginal ? "attachment" : "inline")
    }

    package static func makeMissingFileResponse(_ name: String) -> WebResponse {
        .plainText(404, "There is no file “\(CleanText.cleanedLine(name).prefix(200))”.\n")
    }
}
