import Foundation

@testable import Pictures

/// A test picture of 12 × 8 pixels in each format, without data about its maker, and ways to put some in.
enum TestPicture {
    /// Where it was made, as cameras write it: a GPS block with a latitude.
    static let place = "GPS 48.2082 N 16.3738 E"

    static func plain(_ format: PictureFormat) -> [UInt8] {
        let text =
            switch format {
            case .jpeg: jpeg
            case .png: png
            case .webp: webp
            case .gif: gif
            case .heic: heic
            case .avif: avif
            case .tiff: tiff
            }
        let bytes = Data(base64Encoded: text).map(Array.init) ?? []
        return CleanPicture(bytes, format)?.bytes ?? bytes
    }

    /// The picture with its place, a comment and something behind its end.
    static func withPlace(_ format: PictureFormat, orientation: Int = 1) -> [UInt8] {
        var bytes = plain(format)
        let exif = exif(orientation)
        switch format {
        case .jpeg:
            let app1 = Array("Exif\0\0".utf8) + exif
            bytes.insert(contentsOf: segment(0xE1, app1) + segment(0xFE, Array(place.utf8)), at: 2)
            bytes += Array(place.utf8)
        case .png:
            // Behind the heading, before the pixels.
            bytes.insert(contentsOf: chunk("eXIf", exif) + chunk("tEXt", Array(place.utf8)), at: 33)
            bytes += Array(place.utf8)
        case .webp:
            // In the extended form, whose flags announce Exif and XMP.
            bytes[20] |= 0x0C
            bytes += webPChunk("EXIF", exif) + webPChunk("XMP ", Array(place.utf8))
            let size = bytes.count - 8
            for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
            bytes += Array(place.utf8)
        case .gif:
            let text = Array(place.utf8)
            bytes.insert(contentsOf: [0x21, 0xFE, UInt8(text.count)] + text + [0], at: bytes.count - 1)
            bytes += text
        case .heic, .avif, .tiff: break
        }
        return bytes
    }

    /// A block of Exif data with the turn and a place.
    private static func exif(_ orientation: Int) -> [UInt8] {
        let block: [UInt8] = [
            0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0,
            0, 0, 0, 0,
        ]
        return block + Array(place.utf8)
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(content.count) + body + bigEndian(Int(checksum(body)))
    }

    static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) }
    }

    /// The sum of a PNG's chunk.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    private static func webPChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] = [UInt8(content.count & 0xFF), UInt8(content.count >> 8), 0, 0]
        return Array(type.utf8) + length + content + (content.count.isMultiple(of: 2) ? [] : [0])
    }

    private static let jpeg = """
        /9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBD\
        ARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAIAAwD\
        ASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG\
        E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4\
        eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6\
        /8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI\
        FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaH\
        iImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIR\
        AxEAPwCLw9Zy2KaXPOmyNRJJId2cZDjOB9Vrc8Pa7ZwWMgurkjdMzR5Rj8nGOg+tFFGEisTReJlo17tltZNv79TrwdOOJxdXD1No\
        bPqf/9k=
        """
    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAP0lEQVQYlWNgAIP/YAyCDP//\
        A6n/DBAmiAfiwBSBpVAUgXUiKYJJoSuC8umsCEQ1gETroWIITgPEewz1RCkCAEE0iXe2vMWbAAAAAElFTkSuQmCC
        """
    private static let webp = """
        UklGRoYBAABXRUJQVlA4WAoAAAAIAAAACwAABwAAVlA4IKYAAABwAwCdASoMAAgAAsBMJbACdEcAZJX5OXsS+TWWAARv+VP+goAA\
        /u+vWSr+XaJTSP9n7LkC8xdvhAl/XHcwPUcvK5fANbvjDQYd59EQg3sGxlrm/B9kK7tIcF3S9NQO2HCx/XNHz/7cCegfh86eDXB/\
        w8jaruw/+sf9PWymPcO0N5xWj/eUbjfVet+HGfgv97888ccw/Px4//w9SiCP6I44D/5AAAAARVhJRroAAABFeGlmAABJSSoACAAA\
        AAYAEgEDAAEAAAABAAAAGgEFAAEAAABWAAAAGwEFAAEAAABeAAAAKAEDAAEAAAACAAAAEwIDAAEAAAABAAAAaYcEAAEAAABmAAAA\
        AAAAADhjAADoAwAAOGMAAOgDAAAGAACQBwAEAAAAMDIxMAGRBwAEAAAAAQIDAACgBwAEAAAAMDEwMAGgAwABAAAA//8AAAKgBAAB\
        AAAADAAAAAOgBAABAAAACAAAAAAAAAA=
        """
    private static let gif = """
        R0lGODlhDAAIAIMAAEdwTP8A//8AAAAAAP//AAD//wD/AAAA//////+AAH//AAD/gAB//4AA//8AfwAAACH/C05FVFNDQVBFMi4w\
        AwEAAAAh+QQFAAAAACwAAAAADAAIAAAEL3AMYcIhxJSCpAgWZgicVIBXJgjdcIYqa6Li2r7pyAoJoRiLAuPQCDh4PqCQaIwAADs=
        """
    private static let heic = """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
        AA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAAwACAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAjgACAAEAAAAAAAAA\
        AQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAA\
        ALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQED\
        cAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlz\
        cGUAAAAAAAAADAAAAAgAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGlt\
        ZwACAAEAAQAAAJZtZGF0AAAAiigBr1Ie0RDw9LmRr3iY2P0//gyu3Pf/Ij4nPwpM+4n/6f//ixaBYX6n5G+uz21CcXYiEiv8teyu\
        T5EfwoeEuu2ttjzGkHshaapVp4wERQMFg5wqpa/NHmW4WnB+0V1kNp/ToPK7rJP61LH4vGfnVYZ1iacl9L2Ws8zkGUtALykq50+Y\
        MRKGgTkHgA==
        """
    private static let avif = """
        AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
        AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAVgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA\
        AGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAMAAAACAAA\
        ABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAAF5tZGF0EgAKCBgMr7BAgIGhMkgZgAQQAAUA6Esxelk8iO0a\
        SXDoaswr8GhrSyrHQubgefaZkIAS/hUjcV3h+rBH3Ny4jOQKUPo2zdICDW+yxlqBwkwdxz3lWP4=
        """
    private static let tiff = """
        SUkqAEoAAAB4nL2KQRKAMAwCl5erL8eQVsd68mRmQggsZAwyllU+gmbcezFDnkxd2TdTRTdvZlR/MoF22CIHy9MuyRfmBFH5POsQ\
        AAABAwABAAAADAAAAAEBAwABAAAACAAAAAIBAwADAAAAIAEAAAMBAwABAAAACAAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABIB\
        AwABAAAAAQAAABUBAwABAAAAAwAAABYBAwABAAAAgAAAABcBBAABAAAAQgAAABoBBQABAAAAEAEAABsBBQABAAAAGAEAABwBAwAB\
        AAAAAQAAACgBAwABAAAAAwAAAD0BAwABAAAAAgAAAFMBAwADAAAAJgEAAAAAAAAKAAAAAQAAAAoAAAABAAAACAAIAAgAAQABAAEA
        """
}
