import Diary
import Foundation
import Testing

@testable import DiaryFiles

/// An exported diary is imported again to the same bytes.
@Suite struct ExportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "diary-\(UUID().uuidString)")
        .path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func records() throws -> [DiaryRecord] {
        let day = try #require(CalendarDate("1893-12-16"))
        return [
            .ensemble(Ensemble(id: "e", name: "=Phil, \"New\"\nYork", biography: ["de": "Ein Orchester"])),
            .work(MusicalWork(id: "w", composer: "Dvořák", title: "Op. 95", movements: ["Largo"])),
            .country(Country(code: "US", name: ["en": "United States", "de": "Vereinigte Staaten"])),
            .city(City(city: "Manhattan", countryCode: "US")),
            .venue(Venue(name: "Carnegie Hall", city: "Manhattan", countryCode: "US")),
            .event(
                DiaryEvent(
                    id: "f", description: "Festival", startDate: day, endDate: day,
                    performances: [
                        "1893-12-16": ["Main": [DiaryEvent.Slot(ensemble: "e", startTime: "20:15")]]
                    ])),
            .programme(
                ConcertProgramme(
                    id: "p", number: "007", ensemble: "e", season: "1893-94",
                    concerts: [
                        DiaryConcert(
                            id: "p/1", date: day, time: TimeOfDay("8:15PM"), timeZone: "America/New_York",
                            type: "Tour",
                            venue: "Carnegie Hall", location: "Manhattan, NY", isSupportAct: true),
                        DiaryConcert(
                            id: "p/2", date: day,
                            recordings: ["https://video.example/watch?v=1", "http://example.org/largo"]
                                .compactMap(RecordingLink.init)),
                    ],
                    items: [
                        ProgrammeItem(
                            work: "w", composer: "Dvořák",
                            title: "Symphony; new, with \\ and a very long title "
                                + String(repeating: "ö", count: 90),
                            movements: ["Largo; slowly", "-Finale"],
                            conductors: ["Seidl, Anton", "Foss, Lukas"],
                            soloists: [
                                ProgrammeItem.Soloist(name: ""),
                                ProgrammeItem.Soloist(name: "A", role: "soloist"),
                            ],
                            isEncore: true,
                            heard: HeardPerformance(
                                show: "s", model: "m", startMilliseconds: 1_790_000_000_123,
                                endMilliseconds: 1_790_000_600_000,
                                tempoRatio: 0.1 + 0.2, confidence: 0.93,
                                bars: [HeardPerformance.Bar(played: 0, printed: 1, seconds: 1.7)])),
                        ProgrammeItem(kind: .interval, title: "Intermission"),
                    ], provenance: Provenance(.heard, fields: ["items/0/title": .typed]), servedBy: ["me"])),
        ]
    }

    private func documents(_ records: [DiaryRecord]) throws -> [(DiaryRecord.Kind, Data)] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try records.map { record in
            switch record {
            case .ensemble(let value): (.ensembles, try encoder.encode(value))
            case .work(let value): (.works, try encoder.encode(value))
            case .country(let value): (.countries, try encoder.encode(value))
            case .city(let value): (.cities, try encoder.encode(value))
            case .venue(let value): (.venues, try encoder.encode(value))
            case .event(let value): (.events, try encoder.encode(value))
            case .programme(let value): (.programmes, try encoder.encode(value))
            }
        }
    }

    @Test func aFileThatWasSentUnderAnotherNameIsNotCalledByIt() {
        let fault = DiaryFileFault.wrongFormat(file: "/data/757", what: "is no export of the diary")
        #expect(fault.sentence.hasPrefix("“/data/757” is no export"))
        #expect(fault.sentence(calling: "The file").hasPrefix("The file is no export"))
    }

    @Test func jsonComesBackAsItWent() throws {
        let sink = try DiaryFileSink(path: folder + "/d.json")
        var writer = try DiaryJSONFile.Writer(sink)
        for (kind, document) in try documents(try records()) { try writer.write(kind, document) }
        try writer.finish()
        try sink.finish()
        var read: [DiaryRecord] = []
        try DiaryJSONFile.read(folder + "/d.json") { read.append($0) }
        #expect(read == (try records()))
    }

    @Test func csvComesBackAsItWent() throws {
        let sink = try DiaryFileSink(path: folder + "/d.csv")
        let writer = try DiaryCSVFile.Writer(sink)
        for (kind, document) in try documents(try records()) { try writer.write(kind, document) }
        try sink.finish()
        let text = try String(contentsOfFile: folder + "/d.csv", encoding: .utf8)
        #expect(text.contains("'=Phil"), "a spreadsheet runs no formula")
        var read: [DiaryRecord] = []
        try DiaryCSVFile.read(folder + "/d.csv") { read.append($0) }
        #expect(read == (try records()))
    }

    @Test func anUnfinishedFileDoesNotAppear() throws {
        do {
            let sink = try DiaryFileSink(path: folder + "/half.json")
            try sink.write(String(repeating: "x", count: 1 << 17))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test(arguments: ["", "{}", "[1]", "{\"format\":\"baton-diary\",\"version\":2}"])
    func otherJSONIsRefused(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/x.json"))
        #expect(throws: DiaryFileFault.self) { try DiaryJSONFile.read(folder + "/x.json") { _ in } }
    }

    @Test(arguments: [
        "", "a,b\n1,2", "record,id\nconcert,1", "record,id\nwhat,1", "record,id\nprogramme,p",
        "record,id\n\"x",
    ])
    func otherTablesAreRefused(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/x.csv"))
        #expect(throws: DiaryFileFault.self) { try DiaryCSVFile.read(folder + "/x.csv") { _ in } }
    }

    @Test func theCalendarHasStableUIDsAZoneAndFoldedLines() throws {
        guard case .programme(let programme)? = try records().last else { return }
        let text = DiaryCalendar.text(
            of: [programme], ensembles: [Ensemble(id: "e", name: "Phil")], name: "Diary",
            stamp: Date(timeIntervalSince1970: 0))
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.contains("UID:p/1@baton") && lines.contains("UID:p/2@baton"))
        #expect(lines.contains("DTSTART;TZID=America/New_York:18931216T201500"))
        #expect(lines.contains("DTSTART;VALUE=DATE:18931216") && lines.contains("TZID:America/New_York"))
        #expect(lines.contains("TZOFFSETTO:-0500") && lines.contains("DTSTAMP:19700101T000000Z"))
    }

    @Test func aPageOfAConcertTellsSearchEnginesWhatItIs() throws {
        guard case .programme(var programme)? = try records().last else { return }
        programme.title = "</script>"
        let text = try DiaryJSONLD.document(
            programme.concerts[0], of: programme, by: Ensemble(id: "e", name: "Phil"))
        #expect(
            text.contains("\"@type\":\"MusicEvent\"")
                && text.contains("\"startDate\":\"1893-12-16T20:15:00-05:00\""))
        #expect(!text.contains("</script>"))
    }

    @Test func aRecordingIsToldAndOneThatIsNoneOfTheWebIsNotImported() throws {
        guard case .programme(let programme)? = try records().last else { return }
        let text = try DiaryJSONLD.document(programme.concerts[1], of: programme, by: nil)
        #expect(
            text.contains(#""recordedIn":[{"@type":"CreativeWork","url":"https://video.example/watch?v=1"}"#))
        let file = folder + "/wrong.json"
        let sink = try DiaryFileSink(path: file)
        var writer = try DiaryJSONFile.Writer(sink)
        for (kind, document) in try documents(try records()) { try writer.write(kind, document) }
        try writer.finish()
        try sink.finish()
        let wrong = try String(contentsOfFile: file, encoding: .utf8).replacing(
            "http://example.org/largo", with: "javascript:alert(1)")
        try Data(wrong.utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: DiaryFileFault.self) { try DiaryJSONFile.read(file) { _ in } }
    }

    @Test func twoFilesOfOneNameDoNotMix() throws {
        let path = folder + "/d.csv"
        let (one, other) = (try DiaryFileSink(path: path), try DiaryFileSink(path: path))
        try one.write("one")
        try other.write("other")
        try one.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
        try other.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aSignThatJoinsTheNextHidesNoTag() throws {
        guard case .programme(var programme)? = try records().last else { return }
        programme.title = "\u{0600}</script>"
        let text = try DiaryJSONLD.document(programme.concerts[0], of: programme, by: nil)
        #expect(!text.utf8.contains(UInt8(ascii: "<")) && text.contains("u003C/script>"))
    }
}
