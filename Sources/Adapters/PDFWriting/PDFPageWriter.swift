import CCairo

/// Writes pages of text, lines and pictures into a PDF. Lengths are points (1/72 inch); y grows downwards from the
/// upper edge.
///
/// Text uses the machine's typefaces, for each letter one that has it; the glyphs used are embedded in the PDF. An
/// instance is used by one thread at a time.
public final class PDFPageWriter {
    /// A typeface of the page.
    public enum Typeface: Sendable {
        case serif, serifBold, serifBoldItalic, sans
    }

    /// One step of a path: of a line to draw or of the outline of an area to fill.
    public enum PathStep: Equatable, Sendable {
        case move(x: Double, y: Double)
        case line(x: Double, y: Double)
        /// A Bézier curve with two control points.
        case curve(x1: Double, y1: Double, x2: Double, y2: Double, x: Double, y: Double)
        case close
    }

    /// Receives the PDF file's bytes in order; returns false if they cannot be written.
    public typealias ByteSink = (UnsafeBufferPointer<UInt8>) -> Bool

    private final class SinkBox {
        let sink: ByteSink

        init(_ sink: @escaping ByteSink) { self.sink = sink }
    }

    private let sink: SinkBox
    private let surface: OpaquePointer
    private let cairoContext: OpaquePointer
    private let textLayout = PDFTextLayout()

    /// Begins a PDF.
    /// - Parameters:
    ///   - created: the date in the file, in ISO 8601; nil for now. A given date makes the file's bytes the same each
    ///     time.
    ///   - sink: called while pages are drawn and by ``finish()``.
    public init(
        width: Double, height: Double, title: String, created: String? = nil, sink: @escaping ByteSink
    ) {
        let write: cairo_write_func_t = { box, data, count in
            guard let box, let data,
                Unmanaged<SinkBox>.fromOpaque(box).takeUnretainedValue().sink(
                    UnsafeBufferPointer(start: data, count: Int(count)))
            else { return CAIRO_STATUS_WRITE_ERROR }
            return CAIRO_STATUS_SUCCESS
        }
        self.sink = SinkBox(sink)
        // Never nil: if memory lacks, cairo returns an object that does nothing.
        surface = cairo_pdf_surface_create_for_stream(
            write, Unmanaged.passUnretained(self.sink).toOpaque(), width, height)
        cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Baton")
        if let created { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, created) }
        cairoContext = cairo_create(surface)
        cairo_set_line_cap(cairoContext, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairoContext, CAIRO_LINE_JOIN_ROUND)
    }

    deinit {
        cairo_destroy(cairoContext)
        cairo_surface_destroy(surface)
    }

    /// Sets the size of the page that begins. Nothing may be drawn on the page yet.
    public func setPageSize(width: Double, height: Double) {
        cairo_pdf_surface_set_size(surface, width, height)
    }

    public func endPage() {
        cairo_show_page(cairoContext)
        cairo_identity_matrix(cairoContext)
    }

    /// Enlarges all that is drawn on this page from now on, and moves a point into the page's upper left corner.
    public func enlarge(by factor: Double, fromX x: Double, y: Double) {
        cairo_scale(cairoContext, factor, factor)
        cairo_translate(cairoContext, -x, -y)
    }

    /// Completes the PDF; nothing can be drawn afterwards.
    /// - Returns: false if the sink refused bytes, or memory was short.
    public func finish() -> Bool {
        cairo_surface_finish(surface)
        return cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
    }

    // MARK: Text

    public func textWidth(of text: String, size: Double, face: Typeface) -> Double {
        textLayout.width(of: text, size: size, face: face)
    }

    /// Writes a line of text. The point is the left end of its baseline.
    public func drawText(_ text: String, x: Double, y: Double, size: Double, face: Typeface) {
        cairo_move_to(cairoContext, x, y)
        textLayout.draw(text, size: size, face: face, on: cairoContext)
    }

    /// True if a line of text begins at its right end, as in Arabic and Hebrew.
    public func isRightToLeft(_ text: String) -> Bool { textLayout.isRightToLeft(text) }

    /// The letters of a text that no typeface of this machine has, each once; a box is printed in their place.
    public func missingLetters(in text: String) -> [Character] { textLayout.missingLetters(in: text) }

    // MARK: Lines and surfaces

    /// Sets the colour of everything drawn from now on, by components 0…1.
    /// - Parameter isHighlighter: true lets the drawing below shine through.
    public func setInk(red: Double, green: Double, blue: Double, isHighlighter: Bool = false) {
        cairo_set_operator(cairoContext, isHighlighter ? CAIRO_OPERATOR_MULTIPLY : CAIRO_OPERATOR_OVER)
        cairo_set_source_rgba(cairoContext, red, green, blue, isHighlighter ? 0.5 : 1)
    }

    /// Draws a line with round ends and corners. A line that ends at its own beginning is a dot.
    public func strokePath(_ path: [PathStep], width: Double) {
        tracePath(path)
        cairo_set_line_width(cairoContext, width)
        cairo_stroke(cairoContext)
    }

    public func fillPath(_ path: [PathStep]) {
        tracePath(path)
        cairo_fill(cairoContext)
    }

    private func tracePath(_ path: [PathStep]) {
        cairo_new_path(cairoContext)
        for step in path {
            switch step {
            case .move(let x, let y): cairo_move_to(cairoContext, x, y)
            case .line(let x, let y): cairo_line_to(cairoContext, x, y)
            case .curve(let x1, let y1, let x2, let y2, let x, let y):
                cairo_curve_to(cairoContext, x1, y1, x2, y2, x, y)
            case .close: cairo_close_path(cairoContext)
            }
        }
    }

    // MARK: Pictures

    /// Draws a picture into the page's upper left corner, scaled to a width and height.
    /// - Parameters:
    ///   - quarterTurns: quarter turns clockwise; width and height are those of the turned picture.
    ///   - tiltDegrees: degrees clockwise by which it is turned further about its middle.
    public func drawPicture(
        _ picture: PDFPicture, width: Double, height: Double, quarterTurns: Int = 0, tiltDegrees: Double = 0
    ) {
        cairo_save(cairoContext)
        defer { cairo_restore(cairoContext) }
        let isOnSide = !quarterTurns.isMultiple(of: 2)
        let (width, height) = isOnSide ? (height, width) : (width, height)
        if quarterTurns != 0 || tiltDegrees != 0 {
            let middle = isOnSide ? (height / 2, width / 2) : (width / 2, height / 2)
            cairo_translate(cairoContext, middle.0, middle.1)
            cairo_rotate(cairoContext, (Double(quarterTurns) * 90 + tiltDegrees) * .pi / 180)
            cairo_translate(cairoContext, -width / 2, -height / 2)
        }
        cairo_scale(cairoContext, width / Double(picture.width), height / Double(picture.height))
        cairo_set_source_surface(cairoContext, picture.surface, 0, 0)
        cairo_paint(cairoContext)
    }
}
