import Foundation
import Pictures
import Testing

/// QR codes, read by a decoder that shares nothing with what draws them.
@Suite struct QRCodeTests {
    private static let decoder = "/usr/bin/zbarimg"

    /// One text for each version from 1 to 10, the fullest, and letters of more than one byte.
    static let texts: [String] =
        [14, 26, 42, 62, 84, 106, 122, 152, 180, 213].map { count in
            String(("https://hall.example/" + String(repeating: "abcdef/", count: 40)).prefix(count))
        } + ["http://10.0.0.1:8080/", "https://hall.example/Dvořák?piece=9&movement=2#bar", "x"]

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: decoder),
            "zbarimg is missing; Tools/setup installs it"),
        arguments: texts)
    func aDecoderReadsWhatIsDrawn(text: String) throws {
        let code = try #require(QRCode(text))
        #expect(try Self.decoded(Drawing(svg: code.makeSVG())) == text)
    }

    @Test(arguments: zip([14, 26, 42, 62, 84, 106, 122, 152, 180, 213], 1...10))
    func theSmallestVersionThatHoldsTheTextIsTaken(count: Int, version: Int) throws {
        #expect(try #require(QRCode(String(repeating: "x", count: count))).modulesPerSide == 17 + 4 * version)
        let larger = QRCode(String(repeating: "x", count: count + 1))
        #expect(version == 10 ? larger == nil : larger?.modulesPerSide == 21 + 4 * version)
    }

    @Test func nothingAndTooMuchAreNotDrawn() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "ü", count: 107)) == nil)
        #expect(QRCode(String(repeating: "ü", count: 106)) != nil)
    }

    /// The drawing is the modules and nothing else: white around, dark where the code is.
    @Test func theDrawingIsTheModulesInAQuietZone() throws {
        let code = try #require(QRCode("https://hall.example/"))
        let drawing = try Drawing(svg: code.makeSVG())
        #expect(drawing.side == code.modulesPerSide + 8)
        for row in 0..<drawing.side {
            for column in 0..<drawing.side {
                let (inRow, inColumn) = (row - 4, column - 4)
                let isInside =
                    (0..<code.modulesPerSide).contains(inRow) && (0..<code.modulesPerSide).contains(inColumn)
                #expect(
                    drawing.isDark[row][column] == (isInside && code.isDark(row: inRow, column: inColumn)))
            }
        }
    }

    /// The squares of an SVG, painted a module a point.
    private struct Drawing {
        let side: Int
        var isDark: [[Bool]]

        init(svg: String) throws {
            let box = try #require(try #/viewBox="0 0 (\d+) (\d+)"/#.firstMatch(in: svg))
            side = try #require(Int(box.1))
            #expect(box.1 == box.2)
            isDark = Array(repeating: Array(repeating: false, count: side), count: side)
            let runs = svg.matches(of: #/M(\d+) (\d+)h(\d+)v1h-(\d+)z/#)
            #expect(!runs.isEmpty)
            for run in runs {
                let (column, row, length) = (Int(run.1)!, Int(run.2)!, Int(run.3)!)
                #expect(run.3 == run.4)
                for offset in 0..<length { isDark[row][column + offset] = true }
            }
        }

        /// A portable grey map, eight points a module.
        var greyMap: Data {
            var rows = ""
            for row in isDark {
                let line = row.map { String(repeating: $0 ? "0 " : "255 ", count: 8) }.joined() + "\n"
                rows += String(repeating: line, count: 8)
            }
            return Data("P2\n\(8 * side) \(8 * side)\n255\n\(rows)".utf8)
        }
    }

    private static func decoded(_ drawing: Drawing) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString).pgm")
        try drawing.greyMap.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: decoder)
        process.arguments = [
            "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", file.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
