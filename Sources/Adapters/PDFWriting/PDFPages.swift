import CCairo

/// Pages of text as a PDF. Lengths are points (1/72 inch), y runs down from the upper edge.
///
/// Text is set in the machine's serif face, which is embedded as far as it is used. The same calls give the same
/// bytes on machines with the same face. Belongs to one thread.
public final class PDFPages {
    /// Collects what is written.
    private final class Sink { var bytes: [UInt8] = [] }

    private let sink = Sink()
    private let surface: OpaquePointer
    private let pen: OpaquePointer

    public init(width: Double, height: Double, title: String) {
        let write: cairo_write_func_t = { sink, data, count in
            guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
            Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes += UnsafeBufferPointer(
                start: data, count: Int(count))
            return CAIRO_STATUS_SUCCESS
        }
        // Never nil: where memory lacks, cairo returns an object that does nothing.
        surface = cairo_pdf_surface_create_for_stream(
            write, Unmanaged.passUnretained(sink).toOpaque(), width, height)
        cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Baton")
        // Not the time of writing: the same text is the same file.
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z")
        pen = cairo_create(surface)
    }

    deinit {
        cairo_destroy(pen)
        cairo_surface_destroy(surface)
    }

    public func width(of text: String, size: Double, isBold: Bool) -> Double {
        choose(size: size, isBold: isBold)
        var extents = cairo_text_extents_t()
        cairo_text_extents(pen, text, &extents)
        return extents.x_advance
    }

    /// Writes a line of text, its baseline beginning at a point.
    public func write(_ text: String, x: Double, y: Double, size: Double, isBold: Bool) {
        choose(size: size, isBold: isBold)
        cairo_move_to(pen, x, y)
        cairo_show_text(pen, text)
    }

    /// Draws a thin line across.
    public func rule(from left: Double, to right: Double, y: Double) {
        cairo_set_line_width(pen, 0.5)
        cairo_move_to(pen, left, y)
        cairo_line_to(pen, right, y)
        cairo_stroke(pen)
    }

    public func endPage() { cairo_show_page(pen) }

    /// The file; nothing can be drawn afterwards.
    /// - Returns: nil where cairo could not write it, for want of memory.
    public func finish() -> [UInt8]? {
        cairo_surface_finish(surface)
        return cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS ? sink.bytes : nil
    }

    private func choose(size: Double, isBold: Bool) {
        cairo_select_font_face(
            pen, "serif", CAIRO_FONT_SLANT_NORMAL, isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(pen, size)
    }
}
