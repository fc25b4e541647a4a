import Catalogue
import Diary
import Foundation
import Platform
import WebServer

/// The 15 calls by which applications read the diary and administrators fill it: ensembles (bands), concerts
/// (tour dates), events, venues, cities and countries.
///
/// Applications get what is published and nothing else, whoever is signed in.
struct SourceRoutes: Sendable {
    let store: DiaryStore
    let gate: DiaryGate
    let bandKeeper: BandKeeper

    private static let usualCount = 100
    private static let mostCount = 500
    private static let recordBytes = 256 << 10

    var routes: [WebRoute] {
        [
            reading("/api/diary/bands", bands), reading("/api/diary/bands/find-by-name", bandsByName),
            reading("/api/diary/bands/:id", band), writing("/api/diary/bands", saveBand),
            writing("/api/diary/tourdate", saveTourDate), reading("/api/diary/tourdate/find", tourDates),
            writing("/api/diary/event", saveEvent), reading("/api/diary/event/find", events),
            reading("/api/diary/event/:id", event),
            writing("/api/diary/venue", saveVenue), reading("/api/diary/venue/find", venues),
            writing("/api/diary/city", saveCity), reading("/api/diary/city/find", cities),
            writing("/api/diary/country", saveCountry),
            writing("/api/diary/country/sync", syncCountries, needing: .application),
        ]
    }

    typealias Answer = @Sendable (WebRequest) async throws -> WebResponse

    private func reading(_ path: String, _ answer: @escaping Answer) -> WebRoute {
        WebRoute(.get, path, .anybody) { [gate] request in
            if let refused = await gate.refusal(of: request, needing: .application) { return refused }
            return try await answer(request)
        }.identifyingVisitor
    }

    private func writing(
        _ path: String, _ answer: @escaping Answer, needing right: DiaryGate.Right = .administrator
    ) -> WebRoute {
        WebRoute(.post, path, .anybody, bodyLimitBytes: Self.recordBytes) { [gate] request in
            if let refused = await gate.refusal(of: request, needing: right) { return refused }
            return try await answer(request)
        }.identifyingVisitor
    }

    // MARK: Paging

    private struct PageRequest {
        var offset: Int
        var limit: Int
    }

    private func page(_ parameters: DiaryParameters) throws(DiaryInputFault) -> PageRequest {
        PageRequest(
            offset: try parameters.number("offset", in: 0...10_000_000) ?? 0,
            limit: try parameters.number("limit", in: 1...Self.mostCount) ?? Self.usualCount)
    }

    /// A part of a list. The header `X-Total-Count` has the length of the whole list.
    private func list<Record: Encodable>(_ all: [Record], _ request: WebRequest) throws -> WebResponse {
        let page = try page(DiaryParameters(request))
        return .json(Array(all.dropFirst(page.offset).prefix(page.limit)))
            .withHeader("X-Total-Count", String(all.count))
    }

    // MARK: Bands

    private func publicCount(_ change: (inout DiaryQuery) -> Void) async throws -> (seen: Int, hidden: Bool) {
        var query = DiaryQuery()
        change(&query)
        let seen = try await store.find(query, limit: 0).total
        guard seen == 0 else { return (seen, false) }
        query.visibilities = Set(ConcertProgramme.Visibility.allCases)
        return (0, try await store.find(query, limit: 0).total > 0)
    }

    /// The ensembles that strangers may know: not those that play only in entries which are not published.
    private func publicEnsembles(_ all: [Ensemble]) async throws -> [Ensemble] {
        var known: [Ensemble] = []
        for ensemble in all where try await !publicCount({ $0.ensembles = [ensemble.id] }).hidden {
            known.append(ensemble)
        }
        return known
    }

    @Sendable private func bands(_ request: WebRequest) async throws -> WebResponse {
        try list(try await publicEnsembles(store.ensembles()).map { BandRecord($0) }, request)
    }

    @Sendable private func band(_ request: WebRequest) async throws -> WebResponse {
        guard let ensemble = try await store.ensemble(request.pathParameters["id"] ?? ""),
            let known = try await publicEnsembles([ensemble]).first
        else { throw DiaryStore.notFound("band") }
        return .json(BandRecord(known))
    }

    @Sendable private func bandsByName(_ request: WebRequest) async throws -> WebResponse {
        let name = try DiaryParameters(request).needed("name")
        let found = try await publicEnsembles(store.ensembles(named: name))
        return try list(
            found.map { BandSummary(id: $0.id, MBID: $0.mbid, name: $0.name, genre: $0.genre) }, request)
    }

    @Sendable private func saveBand(_ request: WebRequest) async throws -> WebResponse {
        .json(try await bandKeeper.save(JSONBody.decode(BandRecord.self, from: request.body)))
    }

    // MARK: Tour dates

    @Sendable private func tourDates(_ request: WebRequest) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        var query = DiaryQuery()
        query.ensembles = [try parameters.needed("band")]
        query.start = try parameters.date("start", isEnd: false)
        query.end = try parameters.date("end", isEnd: true)
        query.location = try parameters.text("location")
        let page = try page(parameters)
        let found = try await store.find(query, offset: page.offset, limit: page.limit)
        return .json(found.concerts.map { TourDateRecord($0) })
            .withHeader("X-Total-Count", String(found.total))
    }

    @Sendable private func saveTourDate(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(TourDateRecord.self, from: request.body)
        return .json(try await TourDateKeeper(store: store).save(record))
    }

    // MARK: Events

    @Sendable private func saveEvent(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(EventRecord.self, from: request.body)
        return try await store.retrying("event") {
            var known = try await store.event(record.id ?? "")
            var event = try record.event(changing: known)
            if known == nil, record.id?.isEmpty ?? true, let other = try await store.event(event.id) {
                // Sent again it is the same event; a different one must not take its place.
                (known, event) = (other, try record.event(changing: other))
                guard event == other else {
                    throw DiaryInputFault(
                        "description",
                        "The diary has “\(other.description)” from \(other.startDate) already, with other fields. "
                            + "Send its id (\(other.id)) to change it, or give this event another name or day.",
                        status: 409, code: "conflict")
                }
            }
            var batch = DiaryStore.Batch()
            (batch.oldEvent, batch.event) = (known, event)
            return try await store.save(batch) ? .json(EventRecord(event)) : nil
        }
    }

    @Sendable private func event(_ request: WebRequest) async throws -> WebResponse {
        guard let event = try await store.event(request.pathParameters["id"] ?? "") else {
            throw DiaryStore.notFound("event")
        }
        return .json(EventRecord(event))
    }

    @Sendable private func events(_ request: WebRequest) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let found = try await store.events(
            named: try parameters.text("event") ?? "", start: try parameters.date("start", isEnd: false),
            end: try parameters.date("end", isEnd: true), location: try parameters.text("location"))
        return try list(found.map { EventRecord($0, isPartial: true) }, request)
    }

    // MARK: Places

    @Sendable private func saveVenue(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(VenueRecord.self, from: request.body)
        let venue = Venue(
            name: try SourceField.needed(record.name, "name"),
            city: try SourceField.optional(record.city, "city") ?? "",
            countryCode: try SourceField.country(record.countryCode ?? "", "countryCode"))
        try await store.save(venue)
        return .json(VenueRecord(venue))
    }

    @Sendable private func venues(_ request: WebRequest) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let code = try parameters.country("country")
        let found = try await store.venues(
            named: try parameters.needed("pattern"), city: try parameters.text("city"),
            countryCode: code.isEmpty ? nil : code)
        var known: [VenueRecord] = []
        for venue in found where try await !publicCount({ $0.venues = [venue.name] }).hidden {
            known.append(VenueRecord(venue))
        }
        return try list(known, request)
    }

    @Sendable private func saveCity(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(CityRecord.self, from: request.body)
        let city = City(
            city: try SourceField.needed(record.city, "city"),
            countryCode: try SourceField.country(record.countryCode ?? "", "countryCode"))
        try await store.save(city)
        return .json(CityRecord(city))
    }

    @Sendable private func cities(_ request: WebRequest) async throws -> WebResponse {
        let parameters = DiaryParameters(request)
        let code = try parameters.country("country")
        let found = try await store.cities(
            named: try parameters.needed("pattern"), countryCode: code.isEmpty ? nil : code)
        var known: [CityRecord] = []
        for city in found where try await !publicCount({ $0.location = city.city }).hidden {
            known.append(CityRecord(city))
        }
        return try list(known, request)
    }

    // MARK: Countries

    private struct CountrySyncJSON: Encodable {
        var updated: Bool
        var hash: String?
        var list: [CountryRecord]?
    }

    @Sendable private func saveCountry(_ request: WebRequest) async throws -> WebResponse {
        let record = try JSONBody.decode(CountryRecord.self, from: request.body)
        let code = try SourceField.country(record.code, "code")
        guard !code.isEmpty else { throw DiaryInputFault("code", "“code” is missing.") }
        let known = try await store.countries().first { $0.code == code }?.name ?? [:]
        let names = SourceField.merged(try SourceField.localized(record.name, "name"), into: known)
        guard !names.isEmpty else {
            throw DiaryInputFault("name", "“name” has no language; write {\"en\": \"…\"}.")
        }
        try await store.save([Country(code: code, name: names)])
        return .json(CountryRecord(code: code, name: names))
    }

    @Sendable private func syncCountries(_ request: WebRequest) async throws -> WebResponse {
        let current = try DiaryParameters(request).text("current") ?? ""
        let list = try await store.countries().map { CountryRecord(code: $0.code, name: $0.name) }
        let hash = Digest(of: JSONBody.encode(list)).description
        return current == hash
            ? .json(CountrySyncJSON(updated: false))
            : .json(CountrySyncJSON(updated: true, hash: hash, list: list))
    }
}

extension VenueRecord {
    init(_ venue: Venue) {
        (id, name, city, countryCode) = (venue.id, venue.name, venue.city, venue.countryCode)
    }
}

extension CityRecord {
    init(_ city: City) { (id, self.city, countryCode) = (city.id, city.city, city.countryCode) }
}
