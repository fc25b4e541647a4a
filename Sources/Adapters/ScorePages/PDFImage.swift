/// A picture in a form that PDF can embed: the unchanged compressed bytes, and their description.
struct PDFImage: Equatable {
    var width: Int
    var height: Int
    /// Entries of the image's dictionary except size and length.
    var dictionary: String
    var bytes: [UInt8]

    /// - Throws: ``ScorePagesError/imageUnusable(reason:)`` for pictures other than JPEG and PNG without
    ///   transparency, palette or interlacing.
    init(_ image: PageImage) throws(ScorePagesError) {
        switch image.format {
        case .png: try self.init(png: image.bytes)
        case .jpg: try self.init(jpeg: image.bytes)
        }
    }

    /// PNG and PDF use the same compression, row filters included: the joined data chunks are the image.
    private init(png: [UInt8]) throws(ScorePagesError) {
        func number(_ place: Int) -> Int { png[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        guard png.count > 33, png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            png[12..<16].elementsEqual("IHDR".utf8)
        else { throw .imageUnusable(reason: "it is no PNG") }
        (width, height) = (number(16), number(20))
        let colours = png[25] == 2 ? 3 : 1
        guard png[24] == 8, png[25] == 2 || png[25] == 0, png[28] == 0 else {
            throw .imageUnusable(reason: "it has transparency, a palette or 16 bits")
        }
        dictionary =
            "/ColorSpace /Device\(colours == 3 ? "RGB" : "Gray") /BitsPerComponent 8 /Filter /FlateDecode "
            + "/DecodeParms << /Predictor 15 /Colors \(colours) /BitsPerComponent 8 /Columns \(width) >>"
        bytes = []
        var place = 8
        while place + 12 <= png.count {
            let length = number(place)
            guard length <= png.count - place - 12 else { break }
            if png[(place + 4)..<(place + 8)].elementsEqual("IDAT".utf8) {
                bytes += png[(place + 8)..<(place + 8 + length)]
            }
            place += length + 12
        }
        guard !bytes.isEmpty else { throw .imageUnusable(reason: "it is empty") }
    }

    /// Reads only the frame header, for size and colours.
    private init(jpeg: [UInt8]) throws(ScorePagesError) {
        var place = 2
        guard jpeg.starts(with: [0xFF, 0xD8]) else { throw .imageUnusable(reason: "it is no JPEG") }
        while place + 9 < jpeg.count, jpeg[place] == 0xFF {
            let marker = jpeg[place + 1]
            let length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
            if (0xC0...0xC2).contains(marker) {
                height = Int(jpeg[place + 5]) << 8 | Int(jpeg[place + 6])
                width = Int(jpeg[place + 7]) << 8 | Int(jpeg[place + 8])
                guard jpeg[place + 4] == 8, jpeg[place + 9] == 1 || jpeg[place + 9] == 3 else { break }
                let colours = jpeg[place + 9] == 3 ? "RGB" : "Gray"
                dictionary = "/ColorSpace /Device\(colours) /BitsPerComponent 8 /Filter /DCTDecode"
                bytes = jpeg
                return
            }
            place += 2 + length
        }
        throw .imageUnusable(reason: "it is a JPEG of an unusual kind")
    }
}
