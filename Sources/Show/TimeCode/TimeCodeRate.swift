/// A frame rate of time code, by the name that people choose it by.
public enum TimeCodeRate: String, CaseIterable, Sendable, Codable {
    case film24 = "24"
    case video25 = "25"
    /// 30000/1001 frames a second; labels 0 and 1 are left out in each minute but the tenth, so that it keeps to the clock.
    case dropFrame = "29.97df"
    /// 30000/1001 frames a second, counted as 30.
    case nonDropFrame = "29.97"
    case full30 = "30"

    /// The frames that are counted as a second: 24, 25 or 30.
    public var framesInSecond: Int {
        switch self {
        case .film24: 24
        case .video25: 25
        case .dropFrame, .nonDropFrame, .full30: 30
        }
    }

    /// The true number of frames in a second.
    public var framesPerSecond: Double {
        switch self {
        case .dropFrame, .nonDropFrame: 30_000 / 1_001
        case .film24, .video25, .full30: Double(framesInSecond)
        }
    }

    /// The number of labels in a day.
    var framesInDay: Int {
        self == .dropFrame ? 24 * Self.droppedHour : 24 * 3_600 * framesInSecond
    }

    fileprivate static let droppedTenMinutes = 17_982
    fileprivate static let droppedMinute = 1_798
    fileprivate static let droppedHour = 6 * droppedTenMinutes
}

/// The label of one frame: hours, minutes, seconds and frames.
public struct TimeCodeLabel: Hashable, Sendable {
    public let hours: Int
    public let minutes: Int
    public let seconds: Int
    public let frames: Int

    /// The label of a frame that is counted from midnight. Numbers outside the day wrap around.
    public init(frame: Int, rate: TimeCodeRate) {
        let number = (frame % rate.framesInDay + rate.framesInDay) % rate.framesInDay
        let counted = rate == .dropFrame ? Self.withDroppedLabels(number) : number
        let second = counted / rate.framesInSecond
        (hours, minutes) = (second / 3_600, second / 60 % 60)
        (seconds, frames) = (second % 60, counted % rate.framesInSecond)
    }

    /// Parses `01:00:00:00`; before the frames a semicolon is as good.
    /// - Returns: nil if it is no label of this rate.
    public init?(_ text: String, rate: TimeCodeRate) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        guard parts.count == 4, parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else { return nil }
        let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard numbers.count == 4, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60,
            numbers[3] < rate.framesInSecond
        else { return nil }
        (hours, minutes, seconds, frames) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard TimeCodeLabel(frame: frameNumber(at: rate), rate: rate) == self else { return nil }
    }

    /// The number of the frame, counted from midnight.
    public func frameNumber(at rate: TimeCodeRate) -> Int {
        let minute = hours * 60 + minutes
        let counted = (minute * 60 + seconds) * rate.framesInSecond + frames
        return rate == .dropFrame ? counted - 2 * (minute - minute / 10) : counted
    }

    /// Counts the dropped labels too: two in each minute but the tenth.
    private static func withDroppedLabels(_ number: Int) -> Int {
        let (tens, rest) = number.quotientAndRemainder(dividingBy: TimeCodeRate.droppedTenMinutes)
        let minutes = rest < 1_800 ? 0 : 1 + (rest - 1_800) / TimeCodeRate.droppedMinute
        return number + 18 * tens + 2 * minutes
    }
}

extension TimeCodeLabel: CustomStringConvertible {
    /// `01:02:03:04`.
    public var description: String {
        [hours, minutes, seconds, frames].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
