import Diary
import Foundation
import WebServer

/// The parameters of a request's query, checked: a wrong one gets a sentence with its name.
struct DiaryParameters: Sendable {
    private let values: [String: String]
    /// The names that are given more than once: which of the values is meant is not known.
    private let repeated: Set<String>

    init(_ request: WebRequest) {
        values = request.queryParameters
        let names = request.rawQuery.split(separator: "&").map { field in
            let name = field.prefix { $0 != "=" }
            return name.removingPercentEncoding ?? String(name)
        }
        repeated = Set(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys)
    }

    /// A text; nil if it is missing or empty.
    func text(_ name: String, limit: Int = 300) throws(DiaryInputFault) -> String? {
        guard !repeated.contains(name) else {
            throw DiaryInputFault(name, "“\(name)” is given more than once; give it once.", status: 400)
        }
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
        let given = try text(name)
        guard let text = given ?? values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw DiaryInputFault(
                name, "“\(name)” is a number from \(range.lowerBound) to \(range.upperBound).", status: 400)
        }
        return number
    }

    /// A country's code in capitals, also one that only old entries have; empty if it is missing.
    func country(_ name: String) throws(DiaryInputFault) -> String {
        let code = try text(name) ?? ""
        guard code.isEmpty || code.count == 2 && code.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw DiaryInputFault(
                name, "“\(code.prefix(20))” is no country; use the two letters of ISO 3166-1, such as AT.",
                status: 400)
        }
        return code.uppercased()
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
