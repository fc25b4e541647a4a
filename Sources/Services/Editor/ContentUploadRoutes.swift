import Basics
import Catalogue
import Concert
import Content
import Foundation
import Score
import Sound
import WebServer

/// Routes for uploading assets and for playing recordings in the preview.
extension ContentEditRoutes {
    private struct UploadAnswer: Encodable {
        var revision: Int
        var name: String
        var type: String
        var byteCount: Int

        private enum CodingKeys: String, CodingKey {
            case revision, name, type
            case byteCount = "bytes"
        }
    }

    /// Stores an uploaded asset after checking its first bytes, and enters it into the concert under its name.
    @Sendable func handleAssetUpload(_ request: WebRequest) async throws -> WebResponse {
        guard let file = request.uploadedFile,
            let place = ContentAsset.Folder(rawValue: request.pathParameters["place"] ?? "")
        else {
            return .refused(
                404, "no-place", "Files can be uploaded to images, AppAssets or originals only.")
        }
        let id = try parseConcertID(request)
        let document = CatalogueConcert(try await loadContentTree(id))
        let asset: ContentAsset
        do {
            asset = try await storeUpload(file, request.pathParameters["name"] ?? "", in: place)
        } catch {
            return .refused(422, "bad-file", error.explanation)
        }
        var builder = ContentEditBuilder()
        builder.addOrReplaceAsset(asset, into: document)
        let revision = try await edit(
            id, document, builder.changes, by: request, label: "file \(asset.name)")
        return .json(
            UploadAnswer(
                revision: revision, name: asset.name.text, type: asset.mediaType,
                byteCount: asset.byteCount))
    }

    private func storeUpload(
        _ file: UploadedFile, _ text: String, in place: ContentAsset.Folder
    ) async throws -> ContentAsset {
        let name = try AssetName(text)
        guard let bytes = FileManager.default.contents(atPath: file.path).map(Array.init) else {
            throw ExplainedError("The file “\(name)” was lost during the upload; send it again.")
        }
        let checked = try AssetFileCheck.checkFile(bytes, named: name, in: place)
        return try await concertEditor.prepareAndStore(checked, as: name, in: place)
    }

    // MARK: Preview sound

    /// Answers with the recording in a piece's folder whose measure times are closest to the content's, for the
    /// preview.
    @Sendable func previewRecording(_ request: WebRequest) async -> WebResponse {
        let folder = request.pathParameters["folder"] ?? ""
        guard let recordings = concertEditor.recordingsFolderPath, ContentRules.isFolderName(folder) else {
            return Self.noRecordingResponse
        }
        // The edited concert need not be the one that listeners get.
        var document = concertEditor.servedConcert?.catalogueConcert
        if let id = request.queryParameters["concert"].flatMap({ Int64($0) }),
            concertEditor.servedConcert?.id != id
        {
            do throws(ConcertEditFault) { document = CatalogueConcert(try await loadContentTree(id)) } catch {
            }
        }
        let marks = document.flatMap { document in
            document.pieceNodes.firstIndex { $0.recordingsFolder == folder }.map {
                document.concert.pieces[$0].measures
            }
        }
        let performances = ContentRecordings(recordingsPath: recordings, modelsPath: nil).findPerformances(
            of: folder)
        let wanted = request.queryParameters["performance"]
        let chosen =
            performances.first { $0.name == wanted }
            ?? performances.min {
                meanOnsetDifference($0.measures.marks, marks) < meanOnsetDifference($1.measures.marks, marks)
            }
        guard let chosen else { return Self.noRecordingResponse }
        return .file(
            chosen.audioFile.path,
            contentType: SoundFileKinds.contentType(of: chosen.audioFile.path) ?? "application/octet-stream",
            tag: "\(folder)-\(chosen.name)-\(Self.modificationSeconds(chosen.audioFile.path))"
        ).withHeader("X-Performance", chosen.name)
    }

    /// The mean difference of two recordings' measure times, in seconds; infinite if they do not play the same
    /// measures.
    private func meanOnsetDifference(_ left: [PlayedMeasure], _ right: [PlayedMeasure]?) -> Double {
        guard let right, left.count == right.count, !left.isEmpty else { return .infinity }
        let sum = zip(left, right).reduce(0) { $0 + abs($1.0.onset.seconds - $1.1.onset.seconds) }
        return sum / Double(left.count)
    }

    private static func modificationSeconds(_ path: String) -> Int {
        let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        return Int(date?.timeIntervalSince1970 ?? 0)
    }

    private static let noRecordingResponse = WebResponse.refused(
        404, "no-audio",
        "There is no recording of this piece on the server; give the piece the folder of its recordings.")
}
