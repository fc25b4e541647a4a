import Diary

/// The date of a concert, written as `2026`, `2026-06` or `2026-06-21`. Pages show no other text as a date.
public enum ConcertDate {
    /// The reason why a text is no date, as a sentence; nil if it is one.
    public static func fault(in text: String) -> String? {
        CalendarDate(startOf: text) == nil
            ? "“\(text.prefix(40))” is no date of the calendar; write a day, a month or a year, as 2026-06-21, 2026-06 "
                + "or 2026."
            : nil
    }
}
