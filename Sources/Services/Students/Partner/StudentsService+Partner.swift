import Foundation
import Hosting
import WebServer

/// The addresses of recordings that play along. Whoever may practise a piece may hear its recordings.
extension StudentsService {
    /// The parts of recordings that may be read or wait at once: an account's pages ask for three.
    static let partnerLimits = ResourceQuota.Limits(total: 48, reserve: 8, perAddress: 40, perAccount: 6)

    var partnerRoutes: [WebRoute] {
        [
            WebRoute(.get, "/api/practice/pieces/:piece/recordings", .signedIn) { request in
                await recordingsResponse(request)
            },
            WebRoute(.get, "/api/practice/pieces/:piece/recordings/:recording/parts/:part", .signedIn) {
                await partResponse($0)
            },
        ]
    }

    private struct RecordingJSON: Encodable {
        var name: String
        /// The onsets of the played bars in seconds of the recording.
        var onsets: [Double]
        var end: Double
        /// Frames a second.
        var rate: Int
        var frames: Int
        /// The number of parts; each has `partSeconds` and a margin on either side.
        var parts: Int
        var partSeconds: Int
        var marginMilliseconds: Int
        var edition: String

        init(_ recording: PartnerRecording) {
            (name, edition) = (recording.name, recording.edition)
            onsets = recording.onsetsSeconds.map(roundedToThousandths)
            end = roundedToThousandths(recording.endSeconds)
            (rate, frames) = (recording.hertz, recording.frameCount)
            parts = PartnerSound.partCount(recording)
            (partSeconds, marginMilliseconds) = (PartnerSound.partSeconds, PartnerSound.marginMilliseconds)
        }
    }

    private func found(_ piece: String, for account: String, named name: String? = nil) async
        -> [PartnerRecording]
    {
        let (pieces, recordings) = (pieces, recordings)
        return await Task.detached(priority: .utility) {
            guard let model = try? pieces.read(piece, for: account) else { return [] }
            return PartnerRecording.find(
                piece: piece, recordings: recordings, bars: model.measures.marks.count, named: name)
        }.value
    }

    private struct RecordingsJSON: Encodable {
        var recordings: [RecordingJSON]
        /// The fermatas of the score: [begin, end], each a played bar with the part of it that has passed.
        var holds: [[Double]]
    }

    private func recordingsResponse(_ request: WebRequest) async -> WebResponse {
        let piece = request.pathParameters["piece"] ?? ""
        let account = Self.owner(request)
        let recordings = await found(piece, for: account).map(RecordingJSON.init)
        let holds = recordings.isEmpty ? [] : await holds(of: piece, for: account)
        return .json(
            RecordingsJSON(
                recordings: recordings,
                holds: holds.map { [$0.lowerBound, $0.upperBound].map(roundedToThousandths) }))
    }

    private func holds(of piece: String, for account: String) async -> [ScoreHolds.Hold] {
        let pieces = pieces
        let bars = await Task.detached(priority: .utility) {
            (try? pieces.read(piece, for: account))?.measures.marks.map(\.printed) ?? []
        }.value
        return await scoreHolds.holds(piece: piece, recordings: recordings, bars: bars)
    }

    private func partResponse(_ request: WebRequest) async -> WebResponse {
        let lease: QuotaLease
        do throws(ResourceQuota.Refusal) {
            lease = try partnerQuota.takePlace(Self.holder(request))
        } catch {
            return .refused(
                503, "full", "Too many parts of recordings are asked for at once. The page asks again.")
        }
        defer { lease.giveBackPlace() }
        let name = request.pathParameters["recording"] ?? ""
        guard let number = Int(request.pathParameters["part"] ?? ""),
            let recording = await found(
                request.pathParameters["piece"] ?? "", for: Self.owner(request), named: name
            ).first,
            let wave = await partnerSound.wave(number, of: recording)
        else {
            return .refused(404, "missing", "This part of the recording is not there, or cannot be read.")
        }
        return WebResponse(contentType: "audio/wav", body: wave)
            .forOnePerson
    }
}
