import Foundation

/// Writes the objects of a PDF one after another, and keeps their positions for the table at the end.
struct PDFFile {
    private static let catalogue = 1
    private static let pageTree = 2
    private static let resources = [
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-BoldItalic /Encoding /WinAnsiEncoding >>",
        "<< /Type /ExtGState /ca 0.5 /CA 0.5 /BM /Multiply >>",
    ]

    private let path: String
    private let handle: FileHandle
    private var written = 0
    /// The position of each object; the first two are written last.
    private var places: [Int?] = [nil, nil]
    private var pages: [Int] = []

    init(path: String) throws(ScorePagesError) {
        self.path = path
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw .cannotWrite(path: path, reason: String(cString: strerror(errno))) }
        self.handle = handle
        // Four bytes above 127 mark the file as binary.
        try put(Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
        for resource in Self.resources { _ = try object(resource) }
    }

    mutating func add(_ page: AnnotatedPage) throws(ScorePagesError) {
        let image = try PDFImage(page.image)
        let picture = try stream(
            "/Type /XObject /Subtype /Image /Width \(image.width) /Height \(image.height) \(image.dictionary)",
            image.bytes)
        var ink = PDFInk(over: page.paper)
        ink.image()
        for mark in page.marks { ink.draw(mark) }
        let content = try stream("", Array(ink.operators.utf8))
        let (width, height) = (page.paper.width, page.paper.height)
        let resources =
            "<< /XObject << /Im \(picture) 0 R >> /Font << /Sans 3 0 R /Slanted 4 0 R >> "
            + "/ExtGState << /Marker 5 0 R >> >>"
        pages.append(
            try object(
                "<< /Type /Page /Parent \(Self.pageTree) 0 R /MediaBox [0 0 \(width) \(height)] "
                    + "/Contents \(content) 0 R /Resources \(resources) >>"))
    }

    mutating func close(title: String) throws(ScorePagesError) {
        let utf16 = title.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let hexadecimal = utf16.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let about = try object("<< /Title <FEFF\(hexadecimal)> /Producer (Baton) >>")
        places[Self.catalogue - 1] = written
        try put("\(Self.catalogue) 0 obj\n<< /Type /Catalog /Pages \(Self.pageTree) 0 R >>\nendobj\n")
        places[Self.pageTree - 1] = written
        let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
        try put("\(Self.pageTree) 0 obj\n<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>\nendobj\n")
        let table = written
        var lines = "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place ?? 0)
            lines += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
        }
        try put(
            lines
                + "trailer\n<< /Size \(places.count + 1) /Root \(Self.catalogue) 0 R /Info \(about) 0 R >>\n"
                + "startxref\n\(table)\n%%EOF\n")
        do { try handle.close() } catch {
            throw .cannotWrite(path: path, reason: error.localizedDescription)
        }
    }

    /// Writes an object.
    /// - Returns: the object's number.
    private mutating func object(_ body: String) throws(ScorePagesError) -> Int {
        places.append(written)
        try put("\(places.count) 0 obj\n\(body)\nendobj\n")
        return places.count
    }

    private mutating func stream(_ entries: String, _ bytes: [UInt8]) throws(ScorePagesError) -> Int {
        places.append(written)
        try put("\(places.count) 0 obj\n<< \(entries) /Length \(bytes.count) >>\nstream\n")
        try put(bytes)
        try put("\nendstream\nendobj\n")
        return places.count
    }

    private mutating func put(_ text: String) throws(ScorePagesError) { try put(Array(text.utf8)) }

    private mutating func put(_ bytes: [UInt8]) throws(ScorePagesError) {
        do { try handle.write(contentsOf: bytes) } catch {
            throw .cannotWrite(path: path, reason: error.localizedDescription)
        }
        written += bytes.count
    }
}
