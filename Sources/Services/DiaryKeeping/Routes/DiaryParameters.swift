import Diary
import WebServer

/// The parameters of a request's query, checked: a wrong one gets a sentence with its name.
struct DiaryParameters: Sendable {
    private let values: [String: String]

    init(_ request: WebRequest) { values = request.queryParameters }

    init(_ values: [String: String]) { self.values = values }

    /// A text; nil if it is missing or empty.
    func text(_ name: String, limit: Int = 300) throws(DiaryInputFault) -> String? {
        guard let value = values[name]?.trimmingWhitespace, !value.isEmpty else { return nil }
        guard value.utf8.count <= limit else {
            throw DiaryInputFault(name, "“\(name)” has more than \(limit) bytes; write less.", status: 400)
        }
        return value
    }

    func needed(_ name: String) throws(DiaryInputFault) -> String {
        guard let value = try text(name) else {
            throw DiaryInputFault(name, "The parameter “\(name)” is missing.", status: 400)
        }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(DiaryInputFault) -> Int? {
        guard let text = try text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw DiaryInputFault(
                name, "“\(name)” is a number from \(range.lowerBound) to \(range.upperBound).", status: 400)
        }
        return number
    }

    /// A country's code in capitals; empty if it is missing.
    func country(_ name: String) throws(DiaryInputFault) -> String {
        do { return try SourceField.country(try text(name) ?? "", name) } catch {
            throw DiaryInputFault(name, error.sentence, status: 400)
        }
    }

    /// A day: `2026-11-23`, also with a time; or a month or a year, of which it is the first or the last day.
    func date(_ name: String, isEnd: Bool) throws(DiaryInputFault) -> CalendarDate? {
        guard let text = try text(name) else { return nil }
        if let moment = ISOMoment(text) { return moment.date }
        if let date = isEnd ? CalendarDate(endOf: text) : CalendarDate(startOf: text) { return date }
        throw DiaryInputFault(name, "“\(name)” is no date; write it as 2026-11-23.", status: 400)
    }
}

extension DiaryInputFault {
    init(_ field: String, _ sentence: String, status: Int) {
        self.init(field, sentence, status: status, code: "bad-parameter")
    }
}

extension String {
    var trimmingWhitespace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
