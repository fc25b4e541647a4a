import Following
import Foundation
import Podium
import Repository
import Synchronization
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeCourseTests {
    private static let repository = Repository.root.path

    private func programme() throws -> (programme: ConcertProgramme, folders: [String]) {
        (try LiveFolder.programme(seeds: [1, 2], seconds: 8), ["melody-1", "melody-2"])
    }

    private func course(_ folder: ServeFolder) throws -> ShowProgramme {
        let made = try programme()
        return try files(folder).buildProgramme(of: made.programme, folders: made.folders)
    }

    private func files(_ folder: ServeFolder) -> ShowProgrammeBuilder {
        ShowProgrammeBuilder(
            recordingsFolderPath: folder.path + "/Recordings", dataFolder: folder.path + "/Data")
    }

    private static let sheet = "place,name,kind,auto,earliness_ms,notes,target,payload\n"

    @Test func withoutFilesThereAreNoCuesAndNoLetters() throws {
        let course = try course(ServeFolder())
        #expect(course.pieces.map(\.folder) == ["melody-1", "melody-2"])
        #expect(course.pieces.allSatisfy { $0.cues.cues.isEmpty && $0.sections.isEmpty })
    }

    @Test func cuesComeFromTheRecordingsUntilTheConsoleHasKeptSome() throws {
        let folder = try ServeFolder()
        try folder.write(
            Self.sheet + "3,From the recordings,note,yes,0,,,\n", to: "Recordings/melody-1/cues.csv")
        #expect(try course(folder).pieces[0].cues.cues.map(\.name) == ["From the recordings"])
        try folder.write(Self.sheet + "4,From the console,note,yes,0,,,\n", to: "Data/cues/melody-1.csv")
        let cues = try course(folder).pieces[0].cues.cues
        #expect(cues.map(\.name) == ["From the console"] && cues.map(\.played) == [3])
    }

    /// One broken file costs its piece the cues, not the evening; it is named, and its bytes are kept.
    @Test(arguments: [
        Self.sheet + "99,Nowhere,note,yes,0,,,\n", "\u{0}\u{1}", "", "place;name\n3;A\n",
        String(repeating: "x", count: 1_200_000),
    ])
    func aBrokenCueListCostsThatListAndIsKept(text: String) async throws {
        let folder = try ServeFolder()
        try folder.write(text, to: "Data/cues/melody-2.csv")
        try folder.write(Self.sheet + "3,Bells,note,yes,0,,,\n", to: "Data/cues/melody-1.csv")
        let made = try programme()
        var faults: [TechnicalFault] = []
        let course = try files(folder).buildProgramme(of: made.programme, folders: made.folders) {
            faults.append($0)
        }
        #expect(course.pieces[0].cues.cues.map(\.name) == ["Bells"] && course.pieces[1].cues.cues.isEmpty)
        let fault = try #require(faults.first)
        #expect(faults.count == 1 && fault.id == ShowProgrammeBuilder.cueListFaultID("melody-2"))
        #expect(fault.sentence.contains("melody-2.csv") && fault.sentence.contains("begins without cues"))
        // A list saved on the console takes the file's place, and ends the fault; the broken one is still there.
        let ended = Mutex<[String]>([])
        let output = CueFileWriter(
            course, files(folder), faultEnded: { id in ended.withLock { $0.append(id) } })
        let stage = try ServeStage(course, outputs: [output])
        try stage.start()
        let list = try CueList([madeCue("New", at: 2)], measureCount: course.pieces[1].playedMeasureCount)
        try await stage.desk.inbox.submitCueList(list, ofPiece: 1).expectDone()
        await output.close()
        #expect(ended.withLock { $0 } == [fault.id])
        #expect(folder.text("Data/cues/melody-2.csv")?.contains("New") == true)
        #expect(folder.text("Data/cues/melody-2.csv.kept") == text)
    }

    @Test(arguments: ["<concert><piece>", "", "\u{0}", String(repeating: "x", count: 1_200_000)])
    func contentThatCannotBeReadCostsItsPieceTheSectionsAndIsNamed(text: String) throws {
        let folder = try ServeFolder()
        try folder.write(text, to: "Recordings/melody-2/content/data.xml")
        let made = try programme()
        var faults: [TechnicalFault] = []
        let course = try files(folder).buildProgramme(of: made.programme, folders: made.folders) {
            faults.append($0)
        }
        #expect(course.pieces.count == 2 && course.pieces[1].sections.isEmpty)
        #expect(faults.map(\.id) == [ShowProgrammeBuilder.sectionsFaultID("melody-2")])
        #expect(faults.first?.sentence.contains("melody-2/content/data.xml") == true)
        #expect(faults.first?.sentence.contains("without its sections") == true)
    }

    @Test func aChangedProgrammeHasTheFaultsOfItsOwnListsAlone() {
        func fault(_ id: String) -> TechnicalFault { TechnicalFault(id: id, sentence: id) }
        let faults = StartupFaults([fault("title-list-a"), fault("cue-list-b"), fault("show-log-damage")])
        let over = faults.replaceProgrammeFaults(by: [fault("cue-list-b"), fault("sections-c")])
        #expect(over == ["title-list-a"])
        #expect(Set(faults.all.map(\.id)) == ["show-log-damage", "cue-list-b", "sections-c"])
    }

    /// The sentence is read on the console, at another machine.
    @Test(arguments: ["cues", "titles"])
    func theSentenceAboutAListThatCannotBeUsedNamesNoPathOfTheMachine(kind: String) throws {
        let folder = try ServeFolder()
        // A folder in the place of the file that the console saves, and a broken file beside a recording.
        try folder.write("", to: "Data/\(kind)/melody-1.csv/x")
        try folder.write("\u{0}\u{1}", to: "Recordings/melody-2/\(kind).csv")
        let made = try programme()
        var faults: [TechnicalFault] = []
        _ = try files(folder).buildProgramme(of: made.programme, folders: made.folders) { faults.append($0) }
        #expect(faults.count == 2)
        for fault in faults {
            #expect(fault.sentence.contains("cannot be used") && !fault.sentence.contains(folder.path))
            #expect(!fault.sentence.contains("/Data/") && !fault.sentence.contains("/Recordings/"))
        }
    }

    @Test func aFolderInTheCueListsPlaceIsNamed() throws {
        let folder = try ServeFolder()
        try folder.write("", to: "Data/cues/melody-1.csv/x")
        let made = try programme()
        var faults: [TechnicalFault] = []
        _ = try files(folder).buildProgramme(of: made.programme, folders: made.folders) { faults.append($0) }
        #expect(faults.map(\.id) == [ShowProgrammeBuilder.cueListFaultID("melody-1")])
    }

    /// Two servers of a show compare what they would do, not how their lists came about.
    @Test func equalCueListsAreEqualHoweverTheyCame() throws {
        let folder = try ServeFolder()
        try folder.write(
            Self.sheet + "3,Bells,note,yes,0,,,\n3,Lamp,note,no,0,,,\n", to: "Data/cues/melody-1.csv")
        let read = try course(folder)
        let bare = try read.replacingCues(of: 0, by: CueList())
        let count = read.pieces[0].playedMeasureCount
        var (bells, lamp) = (madeCue("Bells", at: 2), madeCue("Lamp", at: 2, auto: false))
        (bells.id, lamp.id) = ("made-on-the-console", "c99")
        let place = try #require(MeasureReference("p:2"))
        bells.place = place
        let edited = try bare.replacingCues(of: 0, by: CueList([lamp, bells], measureCount: count))
        #expect(edited.pieces[0].cues != read.pieces[0].cues)
        let first = ShowFingerprint.compute(own: read, inForce: read)
        #expect(ShowFingerprint.compute(own: bare, inForce: edited) == first)
        #expect(ShowFingerprint.compute(own: read, inForce: bare) != first)
        lamp.isAutomatic = true
        let other = try bare.replacingCues(of: 0, by: CueList([bells, lamp], measureCount: count))
        #expect(ShowFingerprint.compute(own: read, inForce: other) != first)
    }

    @Test func sectionsComeFromTheContent() throws {
        let folder = try ServeFolder()
        try folder.write(
            """
            <?xml version="1.0"?>
            <concert><piece><name>Made, Melody: 1</name><measures>8</measures>
            <structure><section measure="1" label="A"/><section measure="5" label="B"/>
            <section measure="99" label="C"/></structure></piece></concert>
            """, to: "Recordings/melody-1/content/data.xml")
        // Whatever a piece's content looks like, the show begins: letters are signs on the way.
        let sections = try course(folder).pieces[0].sections
        #expect(sections.allSatisfy { $0.start < 8 })
    }

    /// The concert of this repository, whose content names its parts.
    @Test func theRepositorysConcertHasSections() throws {
        let root = Self.repository
        let concert = try RequestedProgramme(root + "/Recordings/concert.json")
        let programme = try ReferenceModelLoader(
            modelsFolderPath: root + "/Models", recordingsFolderPath: root + "/Recordings",
            referencePerformanceName: nil
        )
        .loadProgramme(concert)
        let data = try ServeFolder()
        let course = try ShowProgrammeBuilder(
            recordingsFolderPath: root + "/Recordings", dataFolder: data.path
        )
        .buildProgramme(of: programme, folders: concert.pieceFolderNames)
        for piece in course.pieces {
            let starts = piece.sections.map(\.start)
            #expect(starts == starts.sorted() && Set(starts).count == starts.count)
            #expect(starts.allSatisfy { $0 < piece.playedMeasureCount })
            #expect(!piece.cues.cues.isEmpty, "\(piece.folder) has no cues")
        }
        #expect(course.pieces.contains { !$0.sections.isEmpty })
    }

    @Test func anEditedListIsKeptAndReadAgain() async throws {
        let folder = try ServeFolder()
        let before = try course(folder)
        let output = CueFileWriter(before, files(folder))
        let stage = try ServeStage(before, outputs: [output])
        try stage.start()
        let list = try CueList(
            [madeCue("Lights, \"blue\"", at: 2), madeCue("Curtain", at: 6, auto: false)], measureCount: 8)
        await stage.desk.inbox.submitCueList(list, ofPiece: 1).expectDone()
        stage.stop()
        await output.close()
        let again = try course(folder).pieces[1].cues.cues
        #expect(again.map(\.name) == ["Lights, \"blue\"", "Curtain"])
        #expect(again.map(\.played) == [2, 6] && again.map(\.isAutomatic) == [true, false])
        #expect(folder.text("Data/cues/melody-1.csv") == nil)
    }

    @Test func anEditedListOfTitlesIsKeptAndReadAgain() async throws {
        let folder = try ServeFolder()
        let before = try course(folder)
        let output = CueFileWriter(before, files(folder))
        let stage = try ServeStage(before, outputs: [output])
        try stage.start()
        let list = try before.pieces[1].readTitles(Array("bar,text_de\n2,Erste\n,Zweite\n".utf8), as: .csv)
        let inbox = stage.desk.inbox
        await inbox.submitTitleList(list, ofPiece: 1, changing: before.orderRevision).expectDone()
        // Another programme, or a piece that no longer exists: refused, and the server goes on.
        for (piece, revision) in [(1, "another"), (7, before.orderRevision)] {
            let outcome = await inbox.submitTitleList(list, ofPiece: piece, changing: revision)
            guard case .refused(let refusal, _) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(refusal == .programmeChangedMeanwhile)
        }
        guard case .refused = await inbox.submitCueList(before.pieces[0].cues, ofPiece: 7) else {
            Issue.record("cues of a piece that is not there were taken")
            return
        }
        stage.stop()
        await output.close()
        #expect(try course(folder).pieces[1].titles == list)
        #expect(
            folder.text("Data/titles/melody-1.csv") == nil && folder.text("Data/cues/melody-2.csv") == nil)
    }

    @Test func titlesThatCannotBeUsedCostThePieceItsTitlesAndAreKept() throws {
        let folder = try ServeFolder()
        try folder.write("bar,text\n1,Shipped\n", to: "Recordings/melody-1/titles.csv")
        try folder.write("bar,text\n1,\"Unclosed\n", to: "Data/titles/melody-2.csv")
        let made = try programme()
        var faults: [TechnicalFault] = []
        let course = try files(folder).buildProgramme(of: made.programme, folders: made.folders) {
            faults.append($0)
        }
        #expect(course.pieces[0].titles.titles.map(\.firstText) == ["Shipped"])
        #expect(course.pieces[1].titles.isEmpty)
        #expect(faults.map(\.id) == ["title-list-melody-2"])
        let sentence = try #require(faults.first?.sentence)
        #expect(sentence.contains("begins without titles: "))
        // The sentence stands on pages, which name no folder of the machine.
        #expect(sentence.contains("in the data folder as titles/melody-2.csv.kept."))
        #expect(!sentence.contains("Data/") && !sentence.contains("Recordings/"))
        #expect(folder.text("Data/titles/melody-2.csv.kept") != nil)
    }

    @Test func ofManyEditsTheLastIsKept() async throws {
        let folder = try ServeFolder()
        let before = try course(folder)
        let output = CueFileWriter(before, files(folder))
        let stage = try ServeStage(before, outputs: [output])
        try stage.start()
        for number in 1...20 {
            let list = try CueList([madeCue("Edit \(number)", at: 1)], measureCount: 8)
            await stage.desk.inbox.submitCueList(list, ofPiece: 0).expectDone()
        }
        stage.stop()
        await output.close()
        #expect(try course(folder).pieces[0].cues.cues.map(\.name) == ["Edit 20"])
    }

    @Test func aListThatCannotBeKeptIsAFault() async throws {
        let folder = try ServeFolder()
        try folder.write("a file where a folder should be", to: "Data/cues")
        let before = try madeCourse()
        let told = Told()
        let output = CueFileWriter(before, files(folder)) { told.note($0) }
        let stage = try ServeStage(before, outputs: [output])
        try stage.start()
        let list = try CueList([madeCue("Lights", at: 2)], measureCount: 8)
        await stage.desk.inbox.submitCueList(list, ofPiece: 0).expectDone()
        stage.stop()
        await output.close()
        #expect(told.faults.map(\.id) == ["cue-file"])
    }
}
