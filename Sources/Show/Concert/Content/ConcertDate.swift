/// The date of a concert, written as `2026`, `2026-06` or `2026-06-21`. Pages show no other text as a date.
public enum ConcertDate {
    /// The reason why a text is no date, as a sentence; nil if it is one.
    public static func fault(in text: String) -> String? {
        let fields = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Int(Substring($0)) }
        guard (1...3).contains(fields.count), fields[0].count == 4,
            fields.dropFirst().allSatisfy({ $0.count == 2 }),
            fields.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
            numbers.count == fields.count, numbers.count < 2 || (1...12).contains(numbers[1])
        else { return "“\(text.prefix(40))” is no date; write it as 2026-06-21, 2026-06 or 2026." }
        guard numbers.count == 3 else { return nil }
        let last = dayCount(ofMonth: numbers[1], in: numbers[0])
        guard (1...last).contains(numbers[2]) else {
            return "“\(text)” is no day of the calendar: that month has \(last) days; correct the day."
        }
        return nil
    }

    private static func dayCount(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
