import Diary
import Foundation

/// Published concerts as `schema.org/MusicEvent`, for search engines.
public enum DiaryJSONLD {
    /// Writes a graph of all concerts.
    public struct Writer {
        private let sink: DiaryFileSink
        private let timeZones = TimeZones()
        private var ensembles: [String: Ensemble] = [:]
        private var isFirst = true

        public init(_ sink: DiaryFileSink) throws {
            self.sink = sink
            try sink.write("{\"@context\":\"https://schema.org\",\"@graph\":[")
        }

        /// Takes an ensemble or an entry; ensembles come first.
        public mutating func write(_ kind: DiaryRecord.Kind, _ document: Data) throws {
            switch try DiaryRecord(kind, document, JSONDecoder()) {
            case .ensemble(let ensemble): ensembles[ensemble.id] = ensemble
            case .programme(let programme) where programme.visibility == .published:
                for concert in programme.concerts {
                    let event = DiaryJSONLD.event(
                        concert, of: programme, by: ensembles[programme.ensemble], timeZones)
                    try sink.write(isFirst ? "\n" : ",\n")
                    try sink.write(try DiaryJSONLD.encode(event))
                    isFirst = false
                }
            default: break
            }
        }

        public func finish() throws { try sink.write("\n]}\n") }
    }

    /// The JSON-LD of one concert, for its page. It is safe within a `script` element: `<` is written as `\u003C`.
    public static func document(
        _ concert: DiaryConcert, of programme: ConcertProgramme, by ensemble: Ensemble?, url: String? = nil
    ) throws -> String {
        var event = event(concert, of: programme, by: ensemble, TimeZones())
        event["@context"] = "https://schema.org"
        if let url { event["url"] = url }
        return String(decoding: withoutLessThan(try encode(event)), as: UTF8.self)
    }

    /// Writes each `<` of some JSON as `\u003C`, byte by byte: in a text the sign before may join it.
    private static func withoutLessThan(_ json: Data) -> [UInt8] {
        json.reduce(into: []) { bytes, byte in
            if byte == UInt8(ascii: "<") { bytes += Array("\\u003C".utf8) } else { bytes.append(byte) }
        }
    }

    static func encode(_ event: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: event, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    static func event(
        _ concert: DiaryConcert, of programme: ConcertProgramme, by ensemble: Ensemble?,
        _ timeZones: TimeZones
    ) -> [String: Any] {
        var event: [String: Any] = [
            "@type": "MusicEvent", "identifier": concert.id,
            "startDate": moment(concert, concert.date, concert.time, timeZones),
            "name": programme.title
                ?? [ensemble?.name ?? "", concert.type ?? ""].filter { !$0.isEmpty }.joined(separator: ": "),
        ]
        if let end = concert.endTime {
            event["endDate"] = moment(concert, concert.endDate ?? concert.date, end, timeZones)
        }
        if let ensemble {
            var group: [String: Any] = ["@type": "MusicGroup", "name": ensemble.name]
            if let mbid = ensemble.mbid { group["sameAs"] = "https://musicbrainz.org/artist/\(mbid)" }
            var performers = [group]
            var people: Set<String> = []
            for name in programme.items.flatMap({ $0.conductors + $0.soloists.map(\.name) })
            where !name.isEmpty && people.insert(name).inserted {
                performers.append(["@type": "Person", "name": name])
            }
            event["performer"] = performers
        }
        var address: [String: Any] = [:]
        if let city = concert.city ?? concert.location { address["addressLocality"] = city }
        if let code = concert.countryCode { address["addressCountry"] = code }
        if !address.isEmpty { address["@type"] = "PostalAddress" }
        if concert.venue != nil || !address.isEmpty {
            var place: [String: Any] = ["@type": "Place"]
            if let venue = concert.venue { place["name"] = venue }
            if !address.isEmpty { place["address"] = address }
            event["location"] = place
        }
        if !concert.recordings.isEmpty {
            event["recordedIn"] = concert.recordings.map { ["@type": "CreativeWork", "url": $0.address] }
        }
        let works = works(of: programme)
        if !works.isEmpty { event["workPerformed"] = works }
        return event
    }

    private static func works(of programme: ConcertProgramme) -> [[String: Any]] {
        var seen: Set<String> = []
        return programme.items.filter { $0.kind == .work && seen.insert($0.work ?? $0.title).inserted }.map {
            item in
            var work: [String: Any] = ["@type": "MusicComposition", "name": item.title]
            if !item.composer.isEmpty { work["composer"] = ["@type": "Person", "name": item.composer] }
            return work
        }
    }

    /// A day, or a time with its offset from UTC if the zone is known.
    private static func moment(
        _ concert: DiaryConcert, _ date: CalendarDate, _ time: TimeOfDay?, _ timeZones: TimeZones
    ) -> String {
        guard let time else { return "\(date)" }
        let local = "\(date)T\(time):00"
        guard let zone = concert.timeZone, let offset = timeZones.offset(zone, date, time) else {
            return local
        }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let minutes = abs(offset) / 60
        return local + (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }
}
