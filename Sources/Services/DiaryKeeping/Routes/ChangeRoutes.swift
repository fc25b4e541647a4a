import Catalogue
import Diary
import Foundation
import WebServer

/// The addresses by which those who run the house confirm, edit and remove entries, and by which people keep their own.
struct ChangeRoutes: Sendable {
    let store: DiaryStore

    /// The largest edit, in bytes.
    private static let editBytes = 256 << 10
    /// The most concerts that one account keeps, and the largest of them in bytes.
    private static let mostOwn = 5_000
    private static let ownBytes = 256 << 10

    var routes: [WebRoute] {
        [
            WebRoute(
                .post, "/api/diary/concerts/:id/confirm", .roles(WebRole.staff), bodyLimitBytes: 1_024,
                answer: { try await confirm($0) }),
            WebRoute(
                .put, "/api/diary/concerts/:id", .roles(WebRole.staff), bodyLimitBytes: Self.editBytes,
                answer: { try await edit($0) }),
            WebRoute(
                .delete, "/api/diary/concerts/:id", .roles([.administrator]),
                answer: { try await remove($0) }),
            WebRoute(.get, "/api/diary/mine", .signedIn) { try await listOwn($0) },
            WebRoute(
                .put, "/api/diary/mine/:id", .signedIn, bodyLimitBytes: Self.ownBytes,
                answer: { try await keepOwn($0) }),
            WebRoute(
                .delete, "/api/diary/mine/:id", .signedIn,
                answer: { try await removeOwn($0) }),
        ]
    }

    // MARK: The house's entries

    private struct Confirmation: Decodable {
        var isPrivate: Bool
        /// The visibility that the person saw; nil if it does not matter.
        var from: ConcertProgramme.Visibility?
    }

    private func confirm(_ request: WebRequest) async throws -> WebResponse {
        let wanted = try JSONBody.decode(Confirmation.self, from: request.body)
        return try await changing(request) { programme, _, _ in
            if let seen = wanted.from, seen != programme.visibility {
                throw Refusal(409, "conflict", Self.alreadyDecided(programme.visibility))
            }
            programme.visibility = wanted.isPrivate ? .private : .published
        }
    }

    private static func alreadyDecided(_ visibility: ConcertProgramme.Visibility) -> String {
        let state =
            switch visibility {
            case .proposed: "is to be confirmed"
            case .published: "is published"
            case .private: "is private"
            }
        return "Somebody else has decided meanwhile: this entry \(state). Decide again if that is wrong."
    }

    private func edit(_ request: WebRequest) async throws -> WebResponse {
        let edit = try JSONBody.decode(EntryEdit.self, from: request.body)
        return try await changing(request) { programme, index, ensembleName in
            let conflicts = try edit.apply(to: &programme, concert: index, ensembleName: &ensembleName)
            guard !conflicts.isEmpty else { return }
            let names = conflicts.map(\.field).joined(separator: ", ")
            throw Refusal(
                409, "conflict", "Somebody else has changed \(names) meanwhile; choose which one stays.",
                with: ["conflicts": conflicts])
        }
    }

    /// Changes an entry.
    /// - Parameter change: changes the entry and the name of its ensemble; throws if it must not be written.
    private func changing(
        _ request: WebRequest,
        _ change: (inout ConcertProgramme, _ concert: Int, _ ensembleName: inout String) throws -> Void
    ) async throws -> WebResponse {
        let (id, viewer) = (request.pathParameters["id"] ?? "", DiaryViewer(request))
        return try await store.retrying("entry") {
            let (old, _) = try await store.visibleConcert(id, for: viewer)
            guard viewer.mayEdit(old), let index = old.concerts.firstIndex(where: { $0.id == id }) else {
                throw DiaryStore.notFound("concert")
            }
            let oldName = try await store.ensemble(old.ensemble)?.name ?? old.ensemble
            var (new, name) = (old, oldName)
            try change(&new, index, &name)
            if name != oldName { new.ensemble = try await ensembleID(named: name) }
            if new == old { return .succeeded }
            return try await store.replace(old, by: new) ? .succeeded : nil
        }
    }

    /// Finds the ensemble of a name, or adds it.
    private func ensembleID(named name: String) async throws -> String {
        let (known, id) = try await store.ensembleOrFreeID(named: name)
        if known == nil { try await store.save(Ensemble(id: id, name: name)) }
        return id
    }

    private func remove(_ request: WebRequest) async throws -> WebResponse {
        let (programme, _) = try await store.visibleConcert(
            request.pathParameters["id"] ?? "", for: DiaryViewer(request))
        try await store.removeProgramme(programme.id)
        return .succeeded
    }

    // MARK: A person's own

    private struct OwnListJSON: Encodable {
        struct Entry: Encodable {
            var id: String
            var revision: Int64
            var concert: OwnConcert

            init?(_ stored: StoredDocument) {
                guard let concert = try? JSONBody.decode(OwnConcert.self, from: stored.content) else {
                    return nil
                }
                (id, revision, self.concert) = (stored.id, stored.revision, concert)
            }
        }

        /// The id of the person whose concerts they are.
        var account: String
        var concerts: [Entry]
        /// The ids of concerts that were deleted, for the person's other devices.
        var gone: [String]
    }

    private func listOwn(_ request: WebRequest) async throws -> WebResponse {
        let account = request.person?.id ?? ""
        let documents = try await store.personalDocuments(of: account)
        return .json(
            OwnListJSON(
                account: account,
                concerts: documents.compactMap { document in
                    .init(document)
                }, gone: try await store.removedPersonalDocuments(of: account)))
    }

    private struct OwnChange: Decodable {
        /// The revision that the device knows; 0 for a new concert.
        var revision: Int64
        var concert: OwnConcert
    }

    private struct KeptJSON: Encodable {
        var id: String
        var revision: Int64
    }

    private func keepOwn(_ request: WebRequest) async throws -> WebResponse {
        let (id, account) = (request.pathParameters["id"] ?? "", request.person?.id ?? "")
        guard (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({
                $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
            })
        else { throw DiaryInputFault("id", "An id has 1 to 64 letters, digits and hyphens.") }
        let change = try JSONBody.decode(OwnChange.self, from: request.body)
        let concert = try change.concert.checked()
        let outcome = try await store.savePersonalDocument(
            JSONBody.encode(concert), id: id, of: account, after: change.revision, most: Self.mostOwn,
            atMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        switch outcome {
        case .saved(let revision): return .json(KeptJSON(id: id, revision: revision))
        case .tooMany:
            throw DiaryInputFault("id", "An account keeps at most \(Self.mostOwn) concerts; delete some.")
        case .conflict(let present):
            let sentence = "Another device has changed this concert meanwhile; choose which one stays."
            guard let entry = present.flatMap(OwnListJSON.Entry.init) else {
                throw Refusal(409, "conflict", sentence, with: ["revision": present?.revision ?? 0])
            }
            throw Refusal(409, "conflict", sentence, with: entry)
        }
    }

    private func removeOwn(_ request: WebRequest) async throws -> WebResponse {
        try await store.removePersonalDocument(
            request.pathParameters["id"] ?? "", of: request.person?.id ?? "",
            atMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        return .succeeded
    }
}

/// A concert that a person keeps for himself.
struct OwnConcert: Codable, Equatable, Sendable {
    var title: String?
    var date: String
    var start: String?
    var end: String?
    var venue: String?
    var city: String?
    var stage: String?
    var ensemble: String?
    var event: String?
    var isSupportAct: Bool?
    var works: [EntryFieldValue.Work]?
    /// 0 for none, to 5.
    var rating: Int?
    var comment: String?
    /// The page of the source from which it was taken over.
    var link: String?
    /// The addresses of recordings on the web.
    var recordings: [RecordingLink]?
    /// The id of the concert of the house at which the person was; nil for one that the diary does not have.
    var concert: String?

    /// The concert with texts without surrounding blanks.
    /// - Throws: ``DiaryInputFault`` naming the field that cannot be.
    func checked() throws(DiaryInputFault) -> OwnConcert {
        var concert = self
        guard CalendarDate(date) != nil else {
            throw DiaryInputFault("date", "“\(date.prefix(40))” is no date; write it as 2026-11-23.")
        }
        if let start, !start.isEmpty {
            guard let moment = ISOMoment(start), moment.time != nil else {
                throw DiaryInputFault(
                    "start", "“\(start.prefix(40))” is no time; write it as 2026-11-23T20:00.")
            }
            // A concert after midnight stands on the day on which it begins, wherever it is listed.
            concert.date = moment.date.description
        }
        if let end, !end.isEmpty {
            guard let moment = ISOMoment(end), moment.time != nil else {
                throw DiaryInputFault("end", "“\(end.prefix(40))” is no time; write it as 2026-11-23T22:00.")
            }
        }
        guard recordings?.count ?? 0 <= RecordingLink.mostOfConcert else {
            throw DiaryInputFault(
                "recordings",
                "A concert has at most \(RecordingLink.mostOfConcert) links of recordings; leave some out.")
        }
        guard (0...5).contains(rating ?? 0) else { throw DiaryInputFault("rating", "Stars are 0 to 5.") }
        for (name, path) in Self.texts {
            guard let text = self[keyPath: path] else { continue }
            let limit = name == "comment" ? EntryEdit.longestCommentBytes : EntryEdit.longestTextBytes
            concert[keyPath: path] = try EntryEdit.checkedText(text, name, limit: limit)
        }
        guard works?.count ?? 0 <= EntryEdit.mostWorks else {
            throw DiaryInputFault("works", "An entry has at most \(EntryEdit.mostWorks) works; write fewer.")
        }
        for work in works ?? [] {
            _ = try EntryEdit.checkedText(work.composer, "works", limit: EntryEdit.longestTextBytes)
            _ = try EntryEdit.checkedText(work.title, "works", limit: EntryEdit.longestTextBytes)
        }
        return concert
    }

    private static let texts: [(name: String, path: any WritableKeyPath<OwnConcert, String?> & Sendable)] = [
        ("title", \.title), ("venue", \.venue), ("city", \.city), ("stage", \.stage),
        ("ensemble", \.ensemble),
        ("event", \.event), ("comment", \.comment), ("link", \.link), ("concert", \.concert),
    ]
}
