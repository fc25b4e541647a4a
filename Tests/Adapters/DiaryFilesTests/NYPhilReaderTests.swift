import Diary
import Foundation
import Testing

@testable import DiaryFiles

/// A file of the Philharmonic with all that is odd in the real ones.
@Suite struct NYPhilReaderTests {
    private func read(_ json: String) throws -> (programmes: [ConcertProgramme], oddities: [ImportOddity]) {
        let path = FileManager.default.temporaryDirectory.appending(path: "nyphil-\(UUID().uuidString).json")
            .path
        try Data(json.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = NYPhilReader()
        var programmes: [ConcertProgramme] = []
        try reader.read(path) { programmes.append($1) }
        return (programmes, reader.oddities)
    }

    private func programme(_ works: String, concert: String = "") -> String {
        """
        {"programs":[{"id":"g","programID":"1","orchestra":"Phil","season":"1893-94","concerts":[{"eventType":"Tour",
        "Location":"Manhattan, NY","Venue":"Carnegie Hall","Date":"1893-12-16T05:00:00Z","Time":"8:15PM"}\(concert)],
        "works":[\(works)]}]}
        """
    }

    @Test func aProgrammeIsReadWithItsDayTimeAndPlace() throws {
        let (programmes, _) = try read(
            programme(
                """
                {"ID":"52446*2","composerName":"Beethoven,  Ludwig  van","workTitle":"SYMPHONY NO. 5","movement":"Andante",
                "conductorName":"Mahler, Gustav","soloists":[{"soloistName":"Heifetz, Jascha",
                "soloistInstrument":"Violin","soloistRoles":"S"}]}
                """))
        let concert = try #require(programmes.first?.concerts.first)
        #expect("\(concert.date)" == "1893-12-16" && concert.time?.description == "20:15")
        #expect(
            concert.city == "Manhattan" && concert.countryCode == "US"
                && concert.timeZone == "America/New_York")
        #expect(concert.id == "g_1893-12-16T2015")
        let item = try #require(programmes.first?.items.first)
        #expect(
            item.work == "nyphil-52446" && item.composer == "Beethoven, Ludwig van"
                && item.movements == ["Andante"])
        #expect(
            item.soloists == [
                ProgrammeItem.Soloist(name: "Heifetz, Jascha", instrument: "Violin", role: "soloist")
            ])
    }

    @Test func everythingOddIsListedAndNothingIsDropped() throws {
        let (programmes, oddities) = try read(
            programme(
                """
                {"ID":"1*","composerName":"Traditional,","workTitle":{"_":"AIR FROM  (ARR. X)","em":"SUITE IN D"},
                "conductorName":"de Waart, Edo;  ;  Foss, Lukas;  de Waart, Edo","soloists":[null,{"soloistName":" ",
                "soloistInstrument":"None","soloistRoles":"A"}]},
                {"ID":"0*","interval":"Intermission","soloists":[]}, {"ID":"*","soloists":[]}
                """,
                concert: """
                    ,{"eventType":"None","Location":"None","Venue":"None","Date":"1894-07-01T12:00:00Z","Time":"None"},
                    {"Date":"soon","Time":"8 o'clock"}
                    """))
        let items = try #require(programmes.first).items
        #expect(items.map(\.kind) == [.work, .interval, .unknown])
        #expect(items[0].title == "AIR FROM SUITE IN D (ARR. X)" && items[0].composer == "Traditional")
        #expect(items[0].conductors == ["de Waart, Edo", "Foss, Lukas"] && items[0].soloists.count == 1)
        #expect(programmes[0].concerts.count == 2 && programmes[0].concerts[1].venue == nil)
        let kinds = Dictionary(grouping: oddities, by: \.kind).mapValues(\.count)
        #expect(kinds[.noneAsText] == 5 && kinds[.strayComma] == 1 && kinds[.objectInsteadOfText] == 1)
        #expect(kinds[.severalConductors] == 1 && kinds[.blankConductor] == 1 && kinds[.conductorTwice] == 1)
        #expect(kinds[.emptySoloist] == 1 && kinds[.soloistWithoutName] == 1 && kinds[.blankText] == 1)
        #expect(kinds[.intervalAmongWorks] == 1 && kinds[.lineWithoutWork] == 1)
        #expect(kinds[.dateAsMidnight] == 1 && kinds[.dateNotMidnight] == 1 && kinds[.unreadableDate] == 1)
    }

    @Test(arguments: [
        "", "[]", "{\"programs\":[", "{\"programs\":[{}]", "{\"programs\":[{\"id\":\"x}]}", "{\"other\":1}",
        "{\"programs\":[" + String(repeating: "[", count: 10_000),
    ])
    func brokenFilesAreRefusedWithASentence(text: String) {
        #expect(throws: DiaryFileFault.self) { try read(text) }
    }

    @Test(arguments: [
        (#"{"_": "OVERTURE,", "em": "DI BALLO"}"#, "OVERTURE, DI BALLO"),
        (#"{"em": "Tannhäuser"}"#, "Tannhäuser"),
        (
            #"{"_": "FROM  (QUARTET)", "em": ["ARRIVAL OF THE QUEEN", "SOLOMON"]}"#,
            "ARRIVAL OF THE QUEEN FROM SOLOMON (QUARTET)"
        ),
        (
            #"{"_": "CONCERTO, RV 269 ( FROM ) (ARR. X)", "em": ["SPRING", "THE SEASONS"]}"#,
            "CONCERTO, RV 269 (SPRING FROM THE SEASONS) (ARR. X)"
        ),
    ])
    func italicsReturnIntoTheirGaps(json: String, text: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(NYPhilMarkup.join(try #require(object)) == text)
    }
}
