import CCairo

/// Sets lines of text with Pango, which finds a typeface for each letter, and joins and reorders letters as their
/// script demands.
final class PDFTextLayout {
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer
    private let layout: OpaquePointer

    /// Memory that lacks ends the process here, as everywhere in GLib.
    init() {
        // A map of its own, because Pango's default one belongs to a thread.
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        layout = pango_layout_new(context)
        // A page has no pixels that letters should keep to.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_layout_set_single_paragraph_mode(layout, 1)
        // Whoever searches for “first” in a PDF finds no “ﬁrst”. What a script demands is no such ligature.
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_font_features_new("liga=0, clig=0, dlig=0"))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(fontMap)
    }

    /// The width in points of a line of text.
    func width(of text: String, size: Double, face: PDFPageWriter.Typeface) -> Double {
        set(text, size: size, face: face)
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return Double(logical.width) / Double(PANGO_SCALE)
    }

    /// Draws a line of text whose baseline begins at the current point.
    func draw(_ text: String, size: Double, face: PDFPageWriter.Typeface, on cairoContext: OpaquePointer) {
        set(text, size: size, face: face)
        pango_cairo_show_layout_line(cairoContext, pango_layout_get_line_readonly(layout, 0))
    }

    /// True if a line of text begins at its right end, as in Arabic and Hebrew.
    func isRightToLeft(_ text: String) -> Bool {
        pango_layout_set_text(layout, text, -1)
        return pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
    }

    /// The letters of a text that no typeface has, each once.
    func missingLetters(in text: String) -> [Character] {
        func lacksLetters(_ text: String) -> Bool {
            set(text, size: 10, face: .serif)
            return pango_layout_get_unknown_glyphs_count(layout) > 0
        }
        guard lacksLetters(text) else { return [] }
        var seen: Set<Character> = []
        return text.filter { seen.insert($0).inserted && lacksLetters(String($0)) }.map(\.self)
    }

    private func set(_ text: String, size: Double, face: PDFPageWriter.Typeface) {
        let description = pango_font_description_new()
        pango_font_description_set_family(description, face == .sans ? "sans-serif" : "serif")
        pango_font_description_set_weight(description, face.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_style(
            description, face == .serifBoldItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        let usable = size.isFinite ? min(max(size, 0), 10_000) : 0
        pango_font_description_set_absolute_size(description, usable * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        pango_layout_set_text(layout, text, -1)
    }
}

extension PDFPageWriter.Typeface {
    fileprivate var isBold: Bool { self == .serifBold || self == .serifBoldItalic }
}
