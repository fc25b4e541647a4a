extension MeasureTimesError {
    /// The error message for people: what is wrong, where, and what to do about it.
    public var sentence: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .notRegularFile(let path):
            "\(path) is not a file; name a file of measure times."
        case .tooLarge(let path, let limitBytes):
            "\(path) is larger than \(limitBytes >> 20) MB, the most a file of measure times may be; "
                + "check that it is the right file."
        case .tooManyMeasures(let path, let line, let limit):
            "\(path), line \(line): there are more than \(limit) measures; cut the file into one per movement."
        case .noMeasures(let path):
            "\(path) holds no measure; give at least one row of measure and time."
        case .needsRenderingToAudio(let path, let kind):
            "\(path) is \(kind), which holds notes and not the times of a recording: "
                + "give it to `baton render` and use the recording and measure times it writes."
        case .notMeasureTimes(let path, let kind, let advice):
            "\(path) is \(kind), not a file of measure times; \(advice)."
        case .unknownFormat(let path):
            "\(path) looks like none of the known formats; give a measure,time table or name the format with "
                + "--format (\(MeasureTimesFormat.allCases.map(\.rawValue).joined(separator: ", ")))."
        case .ambiguousFormat(let path, let candidates):
            "\(path) could be \(candidates.map(\.description).joined(separator: " or ")); say which with "
                + "\(candidates.map { "--format \($0.rawValue)" }.joined(separator: " or "))."
        case .invalidRow(let path, let line, let fault):
            "\(path), line \(line): \(fault.sentence)"
        case .invalidXML(let path, let line, let fault):
            "\(path), line \(line): \(fault.sentence)"
        case .severalPieces(let path, let names):
            "\(path) holds several pieces; choose one of these by name: \(quotedList(names))."
        case .noSuchPiece(let path, let wanted, let names):
            "\(path) holds no piece named “\(quotableExcerpt(wanted))”; it holds \(quotedList(names))."
        case .noMeasureTrack(let path, let piece):
            "\(path): the piece “\(quotableExcerpt(piece))” has no NumSeconds track; "
                + "add one with a page for every measure."
        }
    }
}

extension MeasureTimesError {
    /// The error message for people at a web page, who have no command line: as ``sentence`` otherwise.
    public var sentenceForPages: String {
        switch self {
        case .needsRenderingToAudio(let path, let kind):
            "\(path) is \(kind), which holds notes and not the times of a recording; add it as the piece's score."
        case .unknownFormat(let path):
            "\(path) looks like none of the known formats of measure times; "
                + "give a table with the columns measure and time, as in the line 12,34.5."
        case .ambiguousFormat(let path, let candidates):
            "\(path) could be \(candidates.map(\.description).joined(separator: " or ")); "
                + "write the times as a table with the header measure,time."
        default: sentence
        }
    }
}

extension MeasureTimesError.RowFault {
    fileprivate var sentence: String {
        switch self {
        case .decimalComma(let text):
            "“\(quotableExcerpt(text))” is written with a decimal comma; write a point, as in 12.5."
        case .notATime(let text):
            "“\(quotableExcerpt(text))” is not a time; write seconds since the recording's first sample, as in 12.345."
        case .notAMeasureNumber(let text):
            "“\(quotableExcerpt(text))” is not a measure number; write a whole number from 0 to "
                + "\(MeasureTimesLimits.printedNumber)."
        case .notABeat(let text):
            "“\(quotableExcerpt(text))” is not a beat of the bar; write a whole number, 1 for the first beat."
        case .playedNumberNotConsecutive(let found, let expected):
            "the played measure is \(found) where \(expected) should follow; count played measures up by one."
        case .wrongColumnCount(let found, let expected):
            "there are \(found) columns where \(expected) are needed; make every row like the first."
        case .threeColumnsNeedAHeader:
            "three columns need a header such as played,printed,time; "
                + "if the times have a decimal comma, write a point instead."
        case .invalidHeader(let text):
            "the header “\(quotableExcerpt(text))” names no column measure (or printed) and time; "
                + "write measure,time or played,printed,time."
        case .framesInsteadOfSeconds:
            "the times are sample frames; export the layer again with times in seconds."
        case .unknownBeatLabel(let text):
            "“\(quotableExcerpt(text))” is not a beat label; "
                + "write db for a downbeat, b for a beat, bR for one in rubato."
        case .measureAfterEnd:
            "there is a measure after the end; make the end the last row."
        case .lineTooLong:
            "the line is longer than \(MeasureTimesLimits.lineBytes) bytes; check that this is the right file."
        }
    }
}

/// A value from a file, shortened and on one line, to be quoted in a sentence.
func quotableExcerpt(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(60) {
        let shown = scalar.properties.generalCategory
        let hidden =
            shown == .control || shown == .format || shown == .lineSeparator
            || shown == .paragraphSeparator
        scalars.append(hidden ? " " : scalar)
    }
    return String(scalars) + (text.unicodeScalars.count > 60 ? "…" : "")
}

/// Lists names for a sentence: at most a dozen, each in quotation marks.
private func quotedList(_ names: [String]) -> String {
    let shown = names.prefix(12).map { "“\(quotableExcerpt($0))”" }.joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : names.isEmpty ? "none" : shown
}
