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
    /// words.
    var seconds: Double? {
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

    /// True if the text is a number with a decimal point or comma.
    var isNumeric: Bool { isPlainNumber(point: 0x2E) || hasDecimalComma }

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
