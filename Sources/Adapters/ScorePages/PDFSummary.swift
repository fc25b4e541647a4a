/// The size of a page as a reader sees it, after rotation.
///
/// Width and height are in points of 1/72 inch for PDF pages, and in Verovio's units for engraved pages. Music stands
/// use only their ratio.
public struct PaperSize: Hashable, Sendable, Codable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// The properties of a PDF that was checked.
public struct PDFSummary: Equatable, Sendable, Codable {
    public var path: String
    /// SHA-256 of the file in hexadecimal, under which its page images are stored.
    public var digest: String
    public var bytes: Int
    public var pages: [PaperSize]
    public var title: String?
    /// False if the publisher forbids printing; such a score is shown but not exported.
    public var permitsPrinting: Bool

    public init(
        path: String, digest: String, bytes: Int, pages: [PaperSize], title: String? = nil,
        permitsPrinting: Bool = true
    ) {
        self.path = path
        self.digest = digest
        self.bytes = bytes
        self.pages = pages
        self.title = title
        self.permitsPrinting = permitsPrinting
    }
}

/// The parsed output of `pdfinfo -f 1 -l N`.
struct PDFInfoText: Equatable {
    var pageCount = 0
    var pageSizes: [PaperSize] = []
    var title: String?
    var permitsPrinting = true

    /// Parses the output. Lines that are not understood are skipped; pages without a size, and all after them, are
    /// missing from `pageSizes`.
    init(_ text: String) {
        var sizes: [Int: PaperSize] = [:]
        var turned: Set<Int> = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let key = line[..<colon].split(separator: " ")
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            let words = value.split(separator: " ")
            switch (key.first, key.last) {
            case ("Pages", _): pageCount = words.first.flatMap { Int($0) } ?? 0
            case ("Title", _): title = value.isEmpty ? nil : String(value.prefix(200))
            case ("Encrypted", _): permitsPrinting = !value.contains("print:no")
            case ("Page", "size"):
                guard key.count == 3, let page = Int(key[1]), words.count >= 3, words[1] == "x",
                    let width = Double(words[0]), let height = Double(words[2])
                else { continue }
                sizes[page] = PaperSize(width: width, height: height)
            case ("Page", "rot"):
                guard key.count == 3, let page = Int(key[1]), let angle = words.first.flatMap({ Int($0) })
                else { continue }
                if angle % 180 != 0 { turned.insert(page) }
            default: continue
            }
        }
        guard pageCount > 0 else { return }
        for page in 1...max(1, min(pageCount, sizes.count)) {
            guard let size = sizes[page] else { break }
            pageSizes.append(
                turned.contains(page) ? PaperSize(width: size.height, height: size.width) : size)
        }
    }
}
