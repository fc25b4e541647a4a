import Foundation
import Platform
import Testing

@testable import Pictures

/// A PDF that is published does not say where its photographs were taken, and looks as before.
@Suite struct CleanPDFTests {
    private static let place = TestPicture.place
    private static let packet =
        "<?xpacket begin=''?><x:xmpmeta><exif:GPSLatitude>\(place)</exif:GPSLatitude></x:xmpmeta><?xpacket end='w'?>"

    /// An object with a stream.
    private func stream(_ number: Int, _ dictionary: String, _ data: [UInt8]) -> [UInt8] {
        Array("\(number) 0 obj\n<< \(dictionary) /Length \(data.count) >>\nstream\n".utf8) + data
            + Array("\nendstream\nendobj\n".utf8)
    }

    /// Data as PDFs compress them.
    private func packed(_ data: [UInt8]) -> [UInt8] {
        var (one, two): (UInt32, UInt32) = (1, 0)
        for byte in data { (one, two) = ((one + UInt32(byte)) % 65_521, (two + one + UInt32(byte)) % 65_521) }
        let sum = two << 16 | one
        return [0x78, 0x9C] + (Deflate.compressIfSmaller(data) ?? [])
            + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    }

    private func unpacked(_ data: [UInt8]) throws -> [UInt8] {
        var (rest, made) = (Array(data.dropFirst(2)), [UInt8]())
        try Deflate.decompress { () throws(Damaged) in
            defer { rest = [] }
            return rest
        } take: { part throws(Damaged) in
            made += part
        } naming: { _ in
            Damaged()
        }
        return made
    }

    private struct Damaged: Error {}

    private func pdf(_ objects: [[UInt8]], trailer: String = "/Root 1 0 R") -> [UInt8] {
        Array("%PDF-1.7\n".utf8) + objects.flatMap { $0 }
            + Array("trailer\n<< \(trailer) >>\nstartxref\n0\n%%EOF\n".utf8)
    }

    /// The data of a stream of a cleaned PDF.
    private func data(_ number: Int, in pdf: [UInt8], count: Int) throws -> [UInt8] {
        let text = String(decoding: pdf, as: Unicode.ASCII.self)
        let object = try #require(text.firstRange(of: "\(number) 0 obj"))
        let start = try #require(text[object.upperBound...].firstRange(of: "stream\n")).upperBound
        let at = text.unicodeScalars.distance(from: text.startIndex, to: start)
        return Array(pdf[at..<at + count])
    }

    @Test func aPhotographLosesItsPlaceAndKeepsItsPixelsAndItsLength() throws {
        let photograph = TestPicture.withPlace(.jpeg)
        let file = pdf([stream(5, "/Subtype /Image /Filter /DCTDecode", photograph)])
        let clean = try #require(CleanPDF.clean(file))
        #expect(clean.count == file.count && !clean.contains(Self.place))
        let picture = try data(5, in: clean, count: photograph.count)
        #expect(CleanPicture(picture, .jpeg)?.bytes == TestPicture.plain(.jpeg))
        #expect(CleanPDF.clean(clean) == clean, "what is clean stays bit for bit")
    }

    @Test func aPhotographThatIsCompressedTwiceLosesItsPlaceToo() throws {
        let photograph = TestPicture.withPlace(.jpeg) + [UInt8](repeating: 0, count: 4_000)
        let inner = packed(photograph)
        let file = pdf([stream(5, "/Subtype /Image /Filter [ /FlateDecode /DCTDecode ]", inner)])
        let clean = try #require(CleanPDF.clean(file))
        #expect(clean.count == file.count)
        let picture = try unpacked(try data(5, in: clean, count: inner.count))
        #expect(!picture.contains(Self.place))
        #expect(CleanPicture(picture, .jpeg)?.bytes == TestPicture.plain(.jpeg))
    }

    @Test(arguments: [false, true]) func metadataOfTheFileAndOfItsPicturesGo(isPacked: Bool) throws {
        let content = isPacked ? packed(Array(Self.packet.utf8)) : Array(Self.packet.utf8)
        let filter = isPacked ? "/Filter /FlateDecode" : ""
        let file = pdf([stream(7, "/Type /Metadata /Subtype /XML \(filter)", content)])
        let clean = try #require(CleanPDF.clean(file))
        #expect(clean.count == file.count)
        let left = try data(7, in: clean, count: content.count)
        #expect(isPacked ? try unpacked(left).isEmpty : left.allSatisfy { $0 == 32 })
    }

    @Test func ofTheFactsTitleAndTimesStay() throws {
        let facts = "/Title (Notes) /Author (Anna \\(and\\) Bert) /Creator <feff0041> /CreationDate (D:2026)"
        let plain = pdf(
            [Array("13 0 obj\n<< /Author (untouched) >>\nendobj\n3 0 obj\n<< \(facts) >>\nendobj\n".utf8)],
            trailer: "/Root 1 0 R /Info 3 0 R")
        let text = String(decoding: try #require(CleanPDF.clean(plain)), as: UTF8.self)
        #expect(text.utf8.count == plain.count)
        #expect(text.contains("/Title (Notes)") && text.contains("(D:2026)") && text.contains("(untouched)"))
        #expect(!text.contains("Anna") && !text.contains("Bert") && !text.contains("feff0041"))

        let objects = Array("4 0 3 9 ".utf8) + Array("<< /A 1>> << \(facts) >>".utf8)
        let inner = packed(objects + [UInt8](repeating: 32, count: 400))
        let streamed = pdf(
            [stream(9, "/Type /ObjStm /N 2 /First 8 /Filter /FlateDecode", inner)], trailer: "/Info 3 0 R")
        let clean = try #require(CleanPDF.clean(streamed))
        #expect(clean.count == streamed.count)
        let left = String(decoding: try unpacked(try data(9, in: clean, count: inner.count)), as: UTF8.self)
        #expect(left.hasPrefix("4 0 3 9 << /A 1>>") && left.contains("(Notes)") && !left.contains("Anna"))
    }

    @Test func boxesOfJPEG2000BecomeFreeSpace() throws {
        func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(8 + content.count)] + Array(kind.utf8) + content
        }
        let picture =
            box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("xml ", Array(Self.place.utf8))
            + box("jp2c", [1, 2, 3])
        let file = pdf([stream(5, "/Filter /JPXDecode", picture)])
        let clean = try #require(CleanPDF.clean(file))
        #expect(clean.count == file.count && !clean.contains(Self.place))
        #expect(try data(5, in: clean, count: picture.count).suffix(11) == box("jp2c", [1, 2, 3])[...])
    }

    @Test func anEncryptedPDFIsNotRead() {
        #expect(CleanPDF.clean(pdf([], trailer: "/Root 1 0 R /Encrypt 8 0 R")) == nil)
    }

    @Test(arguments: [
        "", "%PDF-1.4", "stream\n", ">>stream\n\n", "<< /Length 99999999999 >>\nstream\nabc",
        "<</Type/ObjStm/First 9>>stream\n1",
        "trailer << /Info 3 0 R", "trailer <</Info 3 0 R>> 3 0 obj <</Author (a", "3 0 obj << /Author <41",
        "<</Filter/FlateDecode/Type/Metadata>>\nstream\nx",
    ])
    func damagedFilesStayAsTheyAreOrLoseThatPart(text: String) {
        let file = Array(text.utf8)
        #expect(CleanPDF.clean(file)?.count == file.count)
    }
}
