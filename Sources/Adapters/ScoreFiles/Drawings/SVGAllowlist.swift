/// The elements and attributes that a drawing may contain. Others are left out if they draw nothing; otherwise the
/// drawing is refused.
enum SVGAllowlist {
    static let namespace = "http://www.w3.org/2000/svg"
    static let xlinkNamespace = "http://www.w3.org/1999/xlink"
    /// The namespace of the prefix `xml`, which needs no declaration.
    static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
    /// Namespaces whose elements could run code within a drawing.
    static let refusedNamespaces: Set = [
        "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/2001/xml-events",
    ]

    static let maximumDepth = 100
    static let maximumElements = 50_000
    /// The maximum number of shapes that a drawing draws, counting repetitions.
    static let maximumDrawnShapes = 100_000
    /// Maximum length of a chain of references.
    static let maximumReferenceChain = 300

    static let allowedElementNames: Set = [
        "svg", "g", "defs", "symbol", "use", "title", "desc", "style", "path", "rect", "circle", "ellipse",
        "line", "polyline", "polygon", "text", "tspan", "textPath", "image", "linearGradient",
        "radialGradient", "stop", "pattern", "clipPath", "mask", "marker", "filter", "feBlend",
        "feColorMatrix", "feComponentTransfer", "feFuncR", "feFuncG", "feFuncB", "feFuncA", "feComposite",
        "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
        "feFlood", "feGaussianBlur", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
        "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
    ]
    /// Elements that hold text and no elements.
    static let textOnlyElements: Set = ["title", "desc", "style"]
    /// Elements whose text is shown or read aloud.
    static let elementsWithText: Set = ["title", "desc", "text", "tspan", "textPath"]
    /// Elements that are left out with all their content.
    static let skippedElements: Set = ["metadata"]
    /// The cost of a filter, counted in shapes. A filter is expensive because it works on every pixel.
    static let filterCostInShapes = 200

    /// Attributes for accessibility, which screen readers use.
    static let accessibilityAttributes: Set = [
        "role", "aria-label", "aria-hidden", "aria-labelledby", "aria-describedby",
    ]

    /// The order in which attributes are written, the same for every drawing; style properties follow.
    static let attributeWritingOrder = [
        "id", "class", "viewBox", "width", "height", "preserveAspectRatio", "x", "y", "rx", "ry", "cx", "cy",
        "r", "x1", "y1", "x2", "y2", "dx", "dy", "rotate", "d", "points", "pathLength", "textLength",
        "lengthAdjust", "startOffset", "side", "spacing", "method", "gradientUnits", "gradientTransform",
        "spreadMethod", "fx", "fy", "fr", "offset", "patternUnits", "patternContentUnits",
        "patternTransform", "clipPathUnits", "maskUnits", "maskContentUnits", "markerUnits", "markerWidth",
        "markerHeight", "refX", "refY", "orient", "filterUnits", "primitiveUnits", "in", "in2", "result",
        "type", "values", "mode", "operator", "k1", "k2", "k3", "k4", "stdDeviation", "edgeMode", "order",
        "kernelMatrix", "divisor", "bias", "targetX", "targetY", "preserveAlpha", "surfaceScale",
        "specularConstant", "specularExponent", "diffuseConstant", "kernelUnitLength", "azimuth",
        "elevation", "pointsAtX", "pointsAtY", "pointsAtZ", "limitingConeAngle", "z", "scale",
        "xChannelSelector", "yChannelSelector", "baseFrequency", "numOctaves", "seed", "stitchTiles",
        "radius", "tableValues", "slope", "intercept", "amplitude", "exponent",
    ]

    static let stylePropertyWritingOrder = [
        "alignment-baseline", "baseline-shift", "clip-path", "clip-rule", "color", "color-interpolation",
        "color-interpolation-filters", "direction", "display", "dominant-baseline", "fill", "fill-opacity",
        "fill-rule", "filter", "flood-color", "flood-opacity", "font", "font-family", "font-feature-settings",
        "font-kerning", "font-size", "font-size-adjust", "font-stretch", "font-style", "font-variant",
        "font-variant-caps", "font-variant-ligatures", "font-variant-numeric", "font-weight",
        "image-rendering", "isolation", "letter-spacing", "lighting-color", "line-height", "marker",
        "marker-end", "marker-mid", "marker-start", "mask", "mask-type", "mix-blend-mode", "opacity",
        "overflow", "paint-order", "shape-rendering", "stop-color", "stop-opacity", "stroke",
        "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
        "stroke-opacity", "stroke-width", "text-align", "text-anchor", "text-decoration", "text-rendering",
        "text-transform", "transform", "transform-box", "transform-origin", "unicode-bidi", "vector-effect",
        "visibility", "white-space", "word-spacing", "writing-mode",
    ]

    /// Functions allowed in styles and presentation attributes; `url` may only refer to the drawing's own parts.
    static let allowedStyleFunctions: Set = [
        "url", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "matrix", "matrix3d",
        "translate", "translatex", "translatey", "scale", "scalex", "scaley", "rotate", "skewx", "skewy",
        "calc", "min", "max", "clamp", "blur", "brightness", "contrast", "drop-shadow", "grayscale",
        "hue-rotate", "invert", "opacity", "saturate", "sepia", "inset", "circle", "ellipse", "polygon",
    ]

    static let allowedStyleProperties = Set(stylePropertyWritingOrder)
    /// The position of each attribute in the written order.
    static let attributeWritingRank = Dictionary(
        uniqueKeysWithValues: (attributeWritingOrder + accessibilityAttributes.sorted()
            + stylePropertyWritingOrder + [
                "style", "xml:space", "xml:lang", "href",
            ])
            .enumerated().map { ($1, $0) })

    /// True for letters, digits, dot, hyphen, underscore, colon, and non-ASCII characters. A percent sign is refused,
    /// because it would begin an escape within a reference.
    static func isValidName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte >= 0x80 || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }

    /// The name in `#name`; nil for any other text.
    static func referencedName(_ text: some StringProtocol) -> String? {
        guard text.first == "#", isValidName(text.dropFirst()) else { return nil }
        return String(text.dropFirst())
    }
}
