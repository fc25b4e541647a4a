import CCairo
import Glibc

/// A picture to draw on a page of a PDF.
public final class PDFPicture {
    public let width: Int
    public let height: Int
    let surface: OpaquePointer

    /// Reads a PNG; nil if the bytes are no readable PNG.
    /// - Cost: four bytes of memory a pixel.
    public init?(png: [UInt8]) {
        surface = png.withUnsafeBytes { bytes in
            var rest = bytes
            return withUnsafeMutablePointer(to: &rest) { rest in
                cairo_image_surface_create_from_png_stream(
                    { rest, target, count in
                        guard let rest = rest?.assumingMemoryBound(to: UnsafeRawBufferPointer.self),
                            let target,
                            rest.pointee.count >= count, let from = rest.pointee.baseAddress
                        else { return CAIRO_STATUS_READ_ERROR }
                        memcpy(target, from, Int(count))
                        rest.pointee = UnsafeRawBufferPointer(rebasing: rest.pointee.dropFirst(Int(count)))
                        return CAIRO_STATUS_SUCCESS
                    }, rest)
            }
        }
        width = Int(cairo_image_surface_get_width(surface))
        height = Int(cairo_image_surface_get_height(surface))
        guard width > 0, height > 0 else { return nil }
    }

    /// Reads a JPEG, whose bytes become part of the PDF unchanged.
    /// - Returns: nil if the bytes are no JPEG with eight bits a colour.
    public init?(jpeg: [UInt8]) {
        guard let size = Self.size(ofJPEG: jpeg), let copy = malloc(jpeg.count) else { return nil }
        (width, height) = size
        memcpy(copy, jpeg, jpeg.count)
        // Only the size of this surface is used. Its pixels are never written, so they take no memory.
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        let status = cairo_surface_set_mime_data(
            surface, CAIRO_MIME_TYPE_JPEG, copy, UInt(jpeg.count), { free($0) }, copy)
        if status != CAIRO_STATUS_SUCCESS {
            free(copy)
            return nil
        }
    }

    deinit { cairo_surface_destroy(surface) }

    /// Reads a JPEG's width and height in pixels from the header of its first frame.
    private static func size(ofJPEG jpeg: [UInt8]) -> (Int, Int)? {
        guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while place + 9 < jpeg.count, jpeg[place] == 0xFF {
            func number(_ offset: Int) -> Int {
                Int(jpeg[place + offset]) << 8 | Int(jpeg[place + offset + 1])
            }
            if (0xC0...0xC2).contains(jpeg[place + 1]) {
                let (height, width) = (number(5), number(7))
                return jpeg[place + 4] == 8 && width > 0 && height > 0 ? (width, height) : nil
            }
            place += 2 + number(2)
        }
        return nil
    }
}
