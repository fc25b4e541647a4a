import Catalogue
import Foundation
import Hosting
import WebServer

/// The addresses of takes. Whoever is signed in has the account's own, and reports that students let the account see.
extension StudentsService {
    var takeRoutes: [WebRoute] {
        [
            WebRoute(.get, "/api/practice/takes", .signedIn) { request in try await takesResponse(request) },
            WebRoute.upload(
                .post, "/api/practice/takes", .signedIn, limitBytes: Self.mostSentBytes,
                folder: takes.arrivingFolder
            ) { request in try await sendResponse(request) }
            .admittingUploads { person, _ in admitSending(person) },
            WebRoute(.get, "/api/practice/takes/:take/sound", .signedIn) { request in
                await soundResponse(request)
            },
            WebRoute(.get, "/api/practice/takes/:take/report", .signedIn) { request in
                await reportResponse(request)
            },
            WebRoute(.delete, "/api/practice/takes/:take", .signedIn) { request in
                try await deletionResponse(request)
            },
            WebRoute(.put, "/api/practice/takes/:take/readers", .signedIn) { try await readersResponse($0) },
            WebRoute(.get, "/api/practice/shared", .signedIn) { try await sharedTakesResponse($0) },
            WebRoute(.get, "/api/practice/shared/:student/:take/report", .signedIn) { request in
                try await sharedReportResponse(request)
            },
        ]
    }

    // MARK: Sending

    /// An hour at 48,000 samples a second of 16 bits, with a header.
    static let mostSentBytes = 350 << 20
    /// The takes that may be sent at once; one of an account.
    static let sendingLimits = ResourceQuota.Limits(total: 24, reserve: 4, perAddress: 24, perAccount: 1)

    /// A take is sent within a week after it was played, in milliseconds.
    private static let longestAgo: Int64 = 7 * 86_400_000

    private func admitSending(_ person: WebPerson?) -> UploadAdmission {
        // By the account alone: it may send one take at a time, from wherever it is.
        let holder = ResourceQuota.Holder(
            address: "", account: person?.id,
            trustLevel: person.map { WebRole.operators.contains($0.role) } == true ? .staff : .anybody)
        do throws(ResourceQuota.Refusal) { return .admitted(try sendingQuota.takePlace(holder)) } catch {
            return .refused(
                .refused(
                    503, "full", "A take of yours, or too many others, are being sent; send it again soon."))
        }
    }

    /// Keeps a take that a student sends, for a report.
    private func sendResponse(_ request: WebRequest) async throws -> WebResponse {
        let query = request.queryParameters
        let (pieces, recordings, takes) = (pieces, recordings, takes)
        let (piece, owner) = (query["piece"] ?? "", Self.owner(request))
        guard let sound = request.uploadedFile?.path else {
            throw TakeFault.badSound(sentence: "No sound was sent.")
        }
        let settings = try query["settings"].map { text in
            try JSONBody.decode(ProcessingSettings.self, from: Array(text.utf8))
        }
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let name = try await Task.detached(priority: .utility) {
            let take = Take(
                piece: piece, pieceName: try pieces.read(piece, for: owner).name.text,
                tab: TabPieceOwners(recordings: recordings).tab(of: piece),
                startedAt: now - min(max(query["ago"].flatMap { Int64($0) } ?? 0, 0), Self.longestAgo),
                processing: settings?.words ?? [:])
            return try takes.keep(
                take, sound: sound, lostSeconds: query["lost"].flatMap { Double($0) } ?? 0, owner: owner
            ) { folder throws(TakeFault) in
                try TakePiece(folder: folder).keep(piece, models: pieces.models, recordings: recordings)
            }
        }.value
        return .json(["name": name])
    }

    // MARK: Lists

    private struct TakeJSON: Encodable {
        var name: String
        var piece: String
        var pieceName: String
        @OrNull var tab: String?
        var startedAt: Int64
        @OrNull var seconds: Double?
        var lostSeconds: Double
        var processing: [String: String]
        @OrNull var trouble: String?
        /// Of own takes.
        var bytes: Int?
        /// The ids of those who may see the report on an own take.
        var readers: [String]?
        /// The owner of another account's take.
        var student: PersonJSON?

        init(_ name: String, _ take: Take) {
            (self.name, piece, pieceName) = (name, take.piece, take.pieceName)
            (startedAt, processing) = (take.startedAt, take.processing)
            _tab = OrNull(wrappedValue: take.tab)
            (_seconds, _trouble) = (
                OrNull(wrappedValue: take.seconds.map(roundedToThousandths)),
                OrNull(wrappedValue: take.trouble)
            )
            lostSeconds = roundedToThousandths(take.lostSeconds)
        }
    }

    private struct TakesJSON: Encodable {
        var takes: [TakeJSON]
        /// Those who may be let see reports: whoever shares a tab with the account, or sees a take of it already.
        var teachers: [PersonJSON]
    }

    private struct PersonJSON: Encodable {
        var id: String
        var name: String

        init(_ person: PracticePartner) { (id, name) = (person.id, person.name) }
    }

    private func takesResponse(_ request: WebRequest) async throws -> WebResponse {
        let (takes, owner) = (takes, Self.owner(request))
        let readers = try await catalogue.readers(ofTakesOf: owner)
        let teachers = try await catalogue.teachers(ofStudent: owner)
        let list = await Task.detached(priority: .utility) {
            takes.list(of: owner).map { entry in
                var take = TakeJSON(entry.name, entry.take)
                (take.bytes, take.readers) = (entry.bytes, readers[entry.name] ?? [])
                return take
            }
        }.value
        return .json(TakesJSON(takes: list, teachers: teachers.map(PersonJSON.init)))
    }

    /// The take of a path; without a student, one of the account that asks.
    private func found(_ request: WebRequest, of student: String? = nil) async -> (take: Take, sound: String)?
    {
        let (takes, owner) = (takes, student ?? Self.owner(request))
        let name = request.pathParameters["take"] ?? ""
        return await Task.detached(priority: .utility) { try? takes.take(name, of: owner) }.value
    }

    private func soundResponse(_ request: WebRequest) async -> WebResponse {
        guard let (take, sound) = await found(request) else { return Self.missingTake }
        guard take.seconds != nil else { return Self.unfinishedTake }
        return WebResponse.file(sound, contentType: "audio/flac", tag: "\(take.startedAt)")
            .withHeader("Cache-Control", "no-store")
    }

    private func reportResponse(_ request: WebRequest, of student: String? = nil) async -> WebResponse {
        guard let (take, sound) = await found(request, of: student) else { return Self.missingTake }
        guard take.seconds != nil else { return Self.unfinishedTake }
        do throws(ResourceQuota.Refusal) {
            let report = try await reporter.report(
                on: take, sound: sound, key: sound, for: Self.holder(request))
            return WebResponse(contentType: "application/json", body: report.json)
        } catch {
            return .refused(
                503, "busy", "Another report is being made at this moment; try again in a few seconds."
            ).withHeader("Retry-After", "3")
        }
    }

    // MARK: Reports that teachers may see

    private struct ReaderRequest: Decodable {
        /// The id of a teacher of the account.
        var reader: String
        var isShared: Bool
    }

    /// The student lets a teacher see a report, or takes that back.
    private func readersResponse(_ request: WebRequest) async throws -> WebResponse {
        let order = try JSONBody.decode(ReaderRequest.self, from: request.body)
        guard await found(request) != nil else { return Self.missingTake }
        let isDone = try await catalogue.setTake(
            request.pathParameters["take"] ?? "", of: Self.owner(request), sharedWith: order.reader,
            to: order.isShared)
        return isDone
            ? .succeeded
            : .refused(422, "no-teacher", "Nobody of this kind shares a tab with you. Reload the list.")
    }

    /// The takes whose reports students let the account see.
    private func sharedTakesResponse(_ request: WebRequest) async throws -> WebResponse {
        let takes = takes
        let shared = try await catalogue.takes(readableBy: Self.owner(request))
        let list = await Task.detached(priority: .utility) {
            shared.compactMap { each -> TakeJSON? in
                guard let found = try? takes.take(each.take, of: each.student.id) else { return nil }
                var take = TakeJSON(each.take, found.take)
                take.student = PersonJSON(each.student)
                return take
            }
        }.value
        return .json(["takes": list])
    }

    private func sharedReportResponse(_ request: WebRequest) async throws -> WebResponse {
        let (student, take) = (request.pathParameters["student"] ?? "", request.pathParameters["take"] ?? "")
        let isShared = try await catalogue.takes(readableBy: Self.owner(request)).contains {
            $0.student.id == student && $0.take == take
        }
        guard isShared else { return Self.missingTake }
        return await reportResponse(request, of: student)
    }

    private func deletionResponse(_ request: WebRequest) async throws -> WebResponse {
        let (takes, owner, name) = (takes, Self.owner(request), request.pathParameters["take"] ?? "")
        // Noted first, so that a copy on the backup server goes too, also if this server ends now.
        if await found(request) != nil {
            do throws(CatalogueError) { try await erasures.note(name, of: owner) } catch {
                return .refused(507, "not-deleted", error.sentence)
            }
        }
        do {
            try await Task.detached(priority: .utility) { try takes.delete(name, of: owner) }.value
            return .succeeded
        } catch TakeFault.missing {
            return Self.missingTake
        } catch let fault as TakeFault {
            return .refused(507, "not-deleted", fault.sentence)
        }
    }

    private static let unfinishedTake = WebResponse.refused(
        409, "unfinished", "This take is being kept; its sound and its report are there in a moment.")
    private static let missingTake = WebResponse.refused(404, "missing", TakeFault.missing.sentence)
}
