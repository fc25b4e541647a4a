/// How much a file of measure times may hold before it is refused.
public enum MeasureTimesLimits {
    public static let fileBytes = 16 << 20
    /// XML is refused earlier: the parser itself fails beyond 10 MB.
    public static let xmlBytes = 9 << 20
    public static let measures = 100_000
    public static let lineBytes = 8_192
    /// Some four months of audio; beyond it a number is not seconds, and arithmetic stays exact below.
    public static let seconds = 1e7
    public static let printedNumber = 999_999
    public static let xmlDepth = 32
    public static let xmlElements = 500_000
    /// The text of one element; an annotation's is far shorter.
    public static let xmlElementBytes = 1 << 20
}
