/// The limits for a file of measure times.
public enum MeasureTimesLimits {
    public static let fileBytes = 16 << 20
    /// XML has a lower limit, because the parser itself fails beyond 10 MB.
    public static let xmlBytes = 9 << 20
    public static let measures = 100_000
    public static let lineBytes = 8_192
    /// Some four months of audio: a larger number is not seconds, and arithmetic is exact below it.
    public static let seconds = 1e7
    public static let printedNumber = 999_999
    public static let xmlDepth = 32
    public static let xmlElements = 500_000
    /// The limit for the text of one element; an annotation's is far shorter.
    public static let xmlElementBytes = 1 << 20
}
