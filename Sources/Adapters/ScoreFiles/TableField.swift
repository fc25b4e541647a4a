/// One field of a table: a text that may be a number.
struct TableField: Equatable {
    let text: String

    init(_ bytes: some BidirectionalCollection<UInt8>) {
        let trimmed = bytes.drop(while: Ascii.isBlank)
        let end = trimmed.lastIndex { !Ascii.isBlank($0) }.map(trimmed.index(after:)) ?? trimmed.startIndex
        text = String(decoding: trimmed[..<end], as: UTF8.self)
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// The text as seconds, within ±``MeasureTimesLimits/seconds``; nil for `inf`, `nan`, hexadecimal numbers and
    /// words. `1:02:03.5` is a time of hours, minutes and seconds.
    var seconds: Double? {
        if text.utf8.contains(Ascii.colon) { return clockSeconds }
        guard isPlainNumber(point: 0x2E), let value = Double(text), abs(value) <= MeasureTimesLimits.seconds
        else { return nil }
        return value
    }

    /// The text as a whole number without sign, at most ``MeasureTimesLimits/printedNumber``.
    var wholeNumber: Int? {
        guard isDigits, let value = Int(text), value <= MeasureTimesLimits.printedNumber else { return nil }
        return value
    }

    /// True if the text consists of digits only, of any length.
    var isDigits: Bool { !text.isEmpty && text.utf8.allSatisfy(Ascii.isDigit) }

    /// True if the text is a number with a decimal comma, as in `12,5`.
    var hasDecimalComma: Bool { text.utf8.contains(Ascii.comma) && isPlainNumber(point: Ascii.comma) }

    /// True if the text is a number with a decimal point or comma, or a time with colons.
    var isNumeric: Bool { isPlainNumber(point: 0x2E) || hasDecimalComma || clockSeconds != nil }

    /// The text as a beat of the bar: `2`, also written as `2.0` or `2.000e+00`.
    var beatNumber: Int? {
        guard isNumeric, let value = seconds, value >= 0, value.rounded() == value else { return nil }
        return Int(value)
    }

    private var clockSeconds: Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let isPlain = part.utf8.allSatisfy { Ascii.isDigit($0) || (isLast && $0 == 0x2E) }
            guard isPlain, let first = part.utf8.first, Ascii.isDigit(first), part.utf8.count <= 16,
                let value = Double(part), index == 0 || value < 60
            else { return nil }
            total = total * 60 + value
        }
        return total <= MeasureTimesLimits.seconds ? total : nil
    }

    /// True if the text is a number with decimals, which no measure number has.
    var isNumberWithDecimals: Bool { isNumeric && !isDigits }

    /// True if the text is an optional sign, digits with at most one decimal point, and an optional exponent.
    private func isPlainNumber(point: UInt8) -> Bool {
        var rest = Substring(text).utf8
        if let first = rest.first, first == 0x2B || first == 0x2D { rest.removeFirst() }
        let whole = rest.prefix(while: Ascii.isDigit)
        rest = rest.dropFirst(whole.count)
        var digits = whole.count
        if rest.first == point {
            rest.removeFirst()
            let decimals = rest.prefix(while: Ascii.isDigit)
            rest = rest.dropFirst(decimals.count)
            digits += decimals.count
        }
        guard digits > 0 else { return false }
        guard let exponent = rest.first else { return true }
        guard exponent == 0x65 || exponent == 0x45 else { return false }
        rest.removeFirst()
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() }
        return !rest.isEmpty && rest.allSatisfy(Ascii.isDigit)
    }
}

extension TextLine {
    /// The field as seconds; throws an error that names the line.
    func parseSeconds(_ field: TableField) throws(MeasureTimesError) -> Double {
        if let seconds = field.seconds { return seconds }
        throw makeRowError(field.hasDecimalComma ? .decimalComma(field.text) : .notATime(field.text))
    }

    /// The field as a printed measure number; throws an error that names the line.
    func parseMeasureNumber(_ field: TableField) throws(MeasureTimesError) -> Int {
        guard let number = field.wholeNumber else { throw makeRowError(.notAMeasureNumber(field.text)) }
        return number
    }
}
