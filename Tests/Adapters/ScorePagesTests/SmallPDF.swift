import Foundation

@testable import ScorePages

/// A PDF put together by a test: objects in order, the first the catalogue, the second the page tree.
struct SmallPDF {
    var objects: [String]
    var trailer = ""

    /// Pages of one size, each with operators of its own and Helvetica as /F.
    init(
        pages: [String], width: Double = 595, height: Double = 842, rotation: Int = 0, entries: String = "",
        more: [String] = []
    ) {
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        objects = [
            "<< /Type /Catalog /Pages 2 0 R \(entries) >>",
            "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for (index, page) in pages.enumerated() {
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Rotate \(rotation) "
                    + "/Contents \(5 + 2 * index) 0 R /Resources << /Font << /F 3 0 R >> "
                    + "/XObject << /Im \(4 + 2 * pages.count) 0 R >> >> >>")
            objects.append("<< /Length \(page.utf8.count) >>\nstream\n\(page)\nendstream")
        }
        objects += more
    }

    /// A page that says its number.
    static func numbered(_ count: Int) -> SmallPDF {
        SmallPDF(pages: (0..<count).map { "BT /F 200 Tf 100 300 Td (\($0 + 1)) Tj ET" })
    }

    var bytes: [UInt8] { bytes(latin1: []) }

    /// - Parameter latin1: streams to be put in the place of `#0`, `#1`, … as they are.
    func bytes(latin1 streams: [[UInt8]]) -> [UInt8] {
        var bytes = Array("%PDF-1.4\n".utf8)
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(bytes.count)
            bytes += "\(index + 1) 0 obj\n".utf8
            var rest = Substring(object)
            while let mark = rest.firstIndex(of: "#"),
                let number = rest[mark...].dropFirst().first?.wholeNumberValue
            {
                bytes += rest[..<mark].utf8
                bytes += streams[number]
                rest = rest[mark...].dropFirst(2)
            }
            bytes += rest.utf8
            bytes += "\nendobj\n".utf8
        }
        let table = bytes.count
        bytes += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n".utf8
        for place in places {
            bytes += (String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n").utf8
        }
        bytes += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\n".utf8
        bytes += "startxref\n\(table)\n%%EOF\n".utf8
        return bytes
    }

    /// An image whose 366 bytes become eight gigabytes of black.
    static var bomb: [UInt8] {
        let stream =
            "eNrtzL9LAnEYx/E7wrsol7RBqqmpIeXMEqQoCaOhhoImMVAhqNGEsmjIKDWUCKShpSIagoYgkyMikQhrKBQi+mVm3HAR"
            + "mZVDkP36Hrf0FzTE54YHnud176/n6jHdrLPQGt+dQT9TZytbSDQ0qqqiU9Z686Zh9j5naSpPXXq7BujVnvWDQCRUaE2qYq/J"
            + "5bf3nOAyVvscru/i805MT5FPzXv2+ottjLK4IYZP3eRif9DxRlHozYrO/EUNOXBjo372WvDHz0/O0vJh9zbfKWizQ9G0KcKS"
            + "S3cmaJdeWytlyDTLy7a8hH4vEAgEAoFAIBAIBAKBQCAQCAQCgUAgkL+Wj6j7sI/y0hTzySgqVe1csCUTPnLygy83ChNFBSrk"
            + "/znpf+s0TWaqVknmpMYhP1FC5kqHRlq0+9JEggQJEiRIkCBBggQJEiRIkCBBggQJEiRIkCD5R8nwlyM+YstPvannC8fCUoId"
            + "n5hb/AGsxrXw"
        var pdf = SmallPDF(pages: ["q 500 0 0 500 0 0 cm /Im Do Q", "BT /F 99 Tf 100 300 Td (2) Tj ET"])
        pdf.objects.append(
            "<< /Type /XObject /Subtype /Image /Width 90000 /Height 90000 /ColorSpace /DeviceGray "
                + "/BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode /FlateDecode] /Length 366 >>\n"
                + "stream\n#0\nendstream")
        return pdf.bytes(latin1: [[UInt8](Data(base64Encoded: stream) ?? Data())])
    }
}

/// A folder for one test, removed with everything in it.
struct TestFolder: ~Copyable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}

let hasPoppler = ExternalPageTools.findTools().pdfinfo != nil && ExternalPageTools.findTools().pdftoppm != nil
let hasVerovio =
    ExternalPageTools.findTools().pythonInterpreter != nil
    && ExternalPageTools.findTools().engraverScript != nil

/// The output of a program of poppler.
func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](bytes)
}

/// The error that a call throws; nil if it throws none.
func fault<R>(_ work: () async throws(ScorePagesError) -> R) async -> ScorePagesError? {
    do throws(ScorePagesError) {
        _ = try await work()
        return nil
    } catch { return error }
}
