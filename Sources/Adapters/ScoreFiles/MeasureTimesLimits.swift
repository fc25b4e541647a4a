import Platform

/// The limits for a file of measure times.
public enum MeasureTimesLimits {
    public static let fileBytes = 16 << 20
    /// The largest XML file, in bytes of UTF-8.
    public static let xmlBytes = 9 << 20
    public static let measures = 100_000
    public static let lineBytes = 8_192
    /// The largest accepted time, in seconds: about four months. A larger number is in another unit, such as samples.
    public static let seconds = 1e7
    public static let printedNumber = 999_999
    public static let xmlDepth = 32
    public static let xmlElements = 500_000
    /// The longest text of one XML element, in bytes; the text of an annotation is far shorter.
    public static let xmlElementBytes = 1 << 20

    static let xml = XMLBounds(
        bytes: xmlBytes, elements: xmlElements, depth: xmlDepth, textBytes: xmlElementBytes)
}
