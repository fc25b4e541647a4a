import Concert
import Foundation
import Hummingbird
import ScoreFiles
import Testing

@testable import Audience
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// The addresses that existing apps call, called as they do.
@Suite(.ownThreads) struct ContentFixedPathTests {
    let stage: ContentStage

    init() async throws { stage = try await ContentStage() }

    private let bach = "Bach,Well-Tempered%20Clavier%20I:%20Prelude%20in%20C"
    private let elise = "Beethoven,%20Bagatelle%20WoO%2059:%20F%C3%BCr%20Elise"

    @Test func theListHasTheNamesInOrderAndNothingElse() async throws {
        let response = try await stage.ask("/getPieces.php")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType]?.hasPrefix("text/plain") == true)
        let names = try #require(stage.desk.servedConcert).catalogueConcert.concert.pieces.map(\.name.text)
        #expect(names.count == 5)
        #expect(String(buffer: response.body) == names.joined(separator: ";"))
    }

    @Test func theContentIsWhatTheWriterWritesInTheOrderAskedEachPieceOnce() async throws {
        let pieces = try #require(stage.desk.servedConcert).catalogueConcert.concert.pieces
        let response = try await stage.ask(
            "/getData.php?database1=\(elise)&database2=\(bach)&database3=\(elise)")
        #expect(response.headers[.contentType] == "application/xml")
        #expect(Array(buffer: response.body) == ContentXMLWriter.writeConcert([pieces[2], pieces[0]]))
        // And that is what lies in the repository, read and written again.
        let file = "\(ContentStage.recordings)/\(ContentStage.folders[0])/content/data.xml"
        let one = try await stage.ask("/getData.php?database1=\(bach)")
        #expect(Array(buffer: one.body) == Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    }

    @Test func twoHundredSpellingsOfANameAreOnePiece() async throws {
        let one = try await stage.ask("/getData.php?database1=\(bach)").body.readableBytes
        let many = (0..<200).map { "database\($0)=\($0 % 2 == 0 ? bach : bach.lowercased())" }
        let response = try await stage.ask("/getData.php?" + many.joined(separator: "&"))
        #expect(response.status == .ok && response.body.readableBytes == one)
    }

    @Test func contentIsPackedForAppsThatTakeItAndNotSentTwiceUntilItIsEdited() async throws {
        let path = "/getData.php?database1=\(bach)&database2=\(elise)"
        let plain = try await stage.ask(path)
        let packed = try await stage.ask(path, ["Accept-Encoding": "gzip"])
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
        let tag = try #require(plain.headers[.eTag])
        let again = try await stage.ask(path, ["If-None-Match": tag])
        #expect(again.status == .notModified && again.body.readableBytes == 0)
        let other = try await stage.ask("/getData.php?database1=\(bach)", ["If-None-Match": tag])
        #expect(other.status == .ok)
        let slide = try stage.first(.slide)
        let revision = try #require(stage.desk.servedConcert).catalogueConcert.contentTree.revision
        let edited = try await stage.edit(
            #"{"base":\#(revision),"label":"x","changes":[{"set":"\#(slide.rawValue)","field":"text","to":"Anew"}]}"#
        )
        #expect(edited.status == .ok)
        let after = try await stage.ask(path, ["If-None-Match": tag])
        #expect(after.status == .ok && String(buffer: after.body).contains("Anew"))
    }

    @Test func namesAreFoundHoweverAppsSpellThem() async throws {
        for name in [
            bach, bach.replacing("%20", with: "+"),
            "bach%2C%20well-tempered%20clavier%20i%3A%20prelude%20in%20c",
        ] {
            #expect(try await stage.ask("/getData.php?database1=\(name)").status == .ok, "\(name)")
        }
    }

    @Test func anUnknownNameIs404AndNamedAndNoNameIs400() async throws {
        let unknown = try await stage.ask("/getData.php?database1=\(bach)&database2=Nobody,%20Nothing%0A")
        #expect(unknown.status == .notFound)
        #expect(String(buffer: unknown.body).contains("“Nobody, Nothing”"))
        for query in ["", "?", "?database1=", "?data=x", "?databaseX=\(bach)", "?database1"] {
            #expect(try await stage.ask("/getData.php" + query).status == .badRequest, "\(query)")
        }
        #expect(try await stage.ask("/getData.php?database1=%FF%FE").status == .notFound)
        let many = (0..<201).map { "database\($0)=\(bach)" }.joined(separator: "&")
        #expect(try await stage.ask("/getData.php?" + many).status == .badRequest)
    }

    @Test func headSaysWhatGetWouldBring() async throws {
        for path in [
            "/getPieces.php", "/getData.php?database1=\(bach)", "/images/bach-pattern.svg",
            "/images/AppAssets/glossary.xml",
        ] {
            let (head, get) = (try await stage.ask(path, .head), try await stage.ask(path))
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
            #expect(head.headers[.contentLength] == String(get.body.readableBytes), "\(path)")
            #expect(try await stage.ask(path, .post).status == .methodNotAllowed)
        }
    }

    @Test func imagesComeWithTheirTypeAndNothingInThemRuns() async throws {
        let response = try await stage.ask("/images/bach-pattern.svg")
        #expect(response.headers[.contentType] == "image/svg+xml")
        #expect(response.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        #expect(response.headers[.contentSecurityPolicy]?.contains("script") == false)
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        let tag = try #require(response.headers[.eTag])
        #expect(
            try await stage.ask("/images/bach-pattern.svg", ["If-None-Match": tag]).status == .notModified)
    }

    @Test func theGlossaryAndTheProgrammeNotesAreAppAssets() async throws {
        let glossary = try await stage.ask("/images/AppAssets/glossary.xml")
        #expect(glossary.headers[.contentType] == "application/xml")
        #expect(
            Array(buffer: glossary.body)
                == Array(
                    try Data(
                        contentsOf: URL(fileURLWithPath: ContentStage.recordings + "/content/glossary.xml"))))
        let notes = try await stage.ask("/images/AppAssets/ProgramNotes.pdf")
        #expect(notes.headers[.contentType] == "application/pdf")
        #expect(String(buffer: notes.body).hasPrefix("%PDF-1.4"))
        #expect(notes.body.readableBytes < 100_000)
    }

    @Test func aPDFComesInParts() async throws {
        let path = "/images/AppAssets/ProgramNotes.pdf"
        let whole = Array(buffer: try await stage.ask(path).body)
        let cases: [(String, Range<Int>)] = [
            ("bytes=0-99", 0..<100), ("bytes=100-", 100..<whole.count),
            ("bytes=-7", whole.count - 7..<whole.count),
            ("bytes=5-999999999", 5..<whole.count), ("bytes=-999999999", 0..<whole.count),
        ]
        for (field, range) in cases {
            let part = try await stage.ask(path, ["Range": field])
            #expect(part.status == .partialContent, "\(field)")
            #expect(Array(buffer: part.body) == Array(whole[range]), "\(field)")
            #expect(
                part.headers[.contentRange]
                    == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)")
        }
        for field in ["bytes=999999999-", "bytes=-0"] {
            #expect(try await stage.ask(path, ["Range": field]).status == .rangeNotSatisfiable, "\(field)")
        }
        // A range that is not understood is not refused: the whole file comes.
        for field in [
            "bytes=9-3", "bytes=a-b", "bytes=0-1,5-6", "lines=1-2", "bytes=", "bytes=-",
            "bytes=99999999999999999999-",
        ] {
            #expect(Array(buffer: try await stage.ask(path, ["Range": field]).body) == whole, "\(field)")
        }
        // Half of an old version is not continued with a new one.
        let other = try await stage.ask(path, ["Range": "bytes=0-9", "If-Range": "\"old\""])
        #expect(other.status == .ok)
    }

    @Test func noAddressLeadsOutOfTheAssets() async throws {
        for path in [
            "/images/../catalogue.sqlite", "/images/..%2Fcatalogue.sqlite", "/images/%2e%2e/catalogue.sqlite",
            "/images/AppAssets/../../catalogue.sqlite", "/images/AppAssets/..%5C..%5Ccatalogue.sqlite",
            "/images/.hidden",
            "/images/%00", "/images/catalogue.sqlite", "/images//etc/passwd",
            "/images/AppAssets/%252e%252e%252fx",
        ] {
            let response = try await stage.ask(path)
            #expect(
                response.status == .notFound || response.status == .badRequest, "\(path): \(response.status)")
            #expect(!String(buffer: response.body).contains("SQLite format"))
        }
    }

    @Test func anEmptyCatalogueAnswersInOrder() async throws {
        let empty = try await ContentStage(isFilled: false)
        #expect(try await empty.text("/getPieces.php") == "")
        #expect(try await empty.ask("/getData.php?database1=\(bach)").status == .notFound)
        #expect(try await empty.ask("/images/x.png").status == .notFound)
        #expect(try await empty.ask("/api/audience/concert").status == .notFound)
    }
}
