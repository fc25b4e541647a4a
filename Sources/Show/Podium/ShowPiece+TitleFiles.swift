import Basics
import Score
import Titles

/// Reads and writes the titles of a piece as files, and converts the times of subtitles to bars.
extension ShowPiece {
    /// Seconds by which a subtitle's time may be after a bar line that is meant.
    private static let tolerance = 0.25
    /// Seconds between two subtitles from which an empty title is put between them.
    private static let shortestGap = 1.0

    /// Reads a file of titles.
    /// - Parameter language: the language of texts whose file does not name it; nil for none.
    /// - Throws: ``TitleImportFault`` with a sentence about the first mistake.
    public func readTitles(
        _ bytes: [UInt8], as format: TitleFileFormat, language: String? = nil
    ) throws(TitleImportFault) -> TitleList {
        var titles: [Title]
        do throws(ExplainedError) { titles = try readUnplacedTitles(bytes, as: format) } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
        if let language, format != .csv {
            for index in titles.indices { titles[index].texts[0].language = TitleText.usualTag(language) }
        }
        do throws(TitleFault) { return try findMeasures(of: titles) } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
    }

    private func readUnplacedTitles(
        _ bytes: [UInt8], as format: TitleFileFormat
    ) throws(ExplainedError) -> [Title] {
        let titles =
            switch format {
            case .csv: try TitleSheet.titles(of: bytes)
            case .srt: try placeSubtitles(TitleSubtitles.titles(of: bytes, .srt))
            case .vtt: try placeSubtitles(TitleSubtitles.titles(of: bytes, .webVTT))
            case .txt: try TitlePlainText.titles(of: bytes)
            }
        // A sheet that has only its column names empties the list; a file without anything is a mistake.
        guard format == .csv || !titles.isEmpty else {
            throw ExplainedError(
                "The file holds no titles, so the list stays as it is; to empty the list, remove its titles.")
        }
        return titles
    }

    private func placeSubtitles(_ timed: [TimedTitle]) throws(ExplainedError) -> [Title] {
        let end = measures.end.seconds
        if let late = timed.firstIndex(where: { $0.start > end + Self.tolerance }) {
            throw TitleFileFault.afterTheEnd(number: late + 1, start: timed[late].start, end: end)
        }
        return placeTimedTitles(timed)
    }

    /// Reads a file of titles in a further language, and joins it with the piece's own titles by their bars.
    /// - Throws: ``TitleImportFault`` with a sentence about the first mistake.
    public func joinTitles(
        _ bytes: [UInt8], as format: TitleFileFormat, language: String?
    ) throws(TitleImportFault) -> TitleList {
        let other = try readTitles(bytes, as: format, language: language)
        let joined: [Title]
        do throws(ExplainedError) { joined = try titles.joined(with: other) } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
        do throws(TitleFault) { return try findMeasures(of: joined) } catch {
            throw TitleImportFault(sentence: error.sentence)
        }
    }

    /// Writes the titles as a file.
    /// - Parameter language: the language of the texts; nil for the first. CSV has all languages.
    public func writeTitles(as format: TitleFileFormat, language: String? = nil) -> String {
        let language = language ?? titles.languages.first ?? ""
        return switch format {
        case .csv: TitleSheet.csv(of: titles)
        case .srt: TitleSubtitles.file(of: timedTitles(in: language), .srt)
        case .vtt: TitleSubtitles.file(of: timedTitles(in: language), .webVTT)
        case .txt: TitlePlainText.text(of: titles, language: language)
        }
    }

    /// The second of the reference recording at which each title begins; nil for a title without a bar, unless it
    /// follows another one by itself. They never go back.
    public var titleTimes: [Double?] {
        var (latest, follows) = (0.0, Double?.none)
        return titles.titles.map { title in
            let start = title.played.map { measures.marks[$0].onset.seconds - title.lead } ?? follows
            latest = max(start ?? 0, latest)
            follows = start == nil ? nil : title.doubleCut.map { latest + $0 }
            return start == nil ? nil : latest
        }
    }

    /// The titles with their times in the reference recording. Titles without a time are left out.
    func timedTitles(in language: String) -> [TimedTitle] {
        var timed: [TimedTitle] = []
        for (title, time) in zip(titles.titles, titleTimes) {
            guard let time else { continue }
            if !timed.isEmpty { timed[timed.count - 1].end = time }
            let text = title.texts.first { $0.language == language }?.text ?? ""
            timed.append(
                TimedTitle(
                    start: time, end: max(time, measures.end.seconds), text: text, position: title.position))
        }
        return timed
    }

    /// Gives subtitles the bars at which they are shown: the first bar line at or after their time, so that none is
    /// early. Of several subtitles for one bar line, the later ones follow by themselves after the time between them.
    /// If a subtitle ends a second or more before the next one, an empty title clears the screen at the next bar line.
    func placeTimedTitles(_ timed: [TimedTitle]) -> [Title] {
        var shown: [(time: Double, text: String, position: TitlePosition?)] = []
        for (index, title) in timed.enumerated() {
            shown.append((title.start, title.text, title.position))
            let next = index + 1 < timed.count ? timed[index + 1].start : measures.end.seconds
            if next - title.end >= Self.shortestGap { shown.append((title.end, "", nil)) }
        }
        var titles: [Title] = []
        var (lastBar, lastTime) = (-1, 0.0)
        for (time, text, position) in shown {
            let bar = measures.marks.firstIndex { $0.onset.seconds >= time - Self.tolerance }
            if let bar, bar > lastBar {
                titles.append(
                    Title(texts: [TitleText(text: text)], place: "p:\(bar)", position: position))
                (lastBar, lastTime) = (bar, time)
            } else if !text.isEmpty {
                // After the last bar line, none is late enough.
                if bar != nil, let last = titles.indices.last, titles[last].isEmpty, titles[last].place != nil
                {
                    titles[last].texts = [TitleText(text: text)]
                    titles[last].position = position
                } else {
                    if let last = titles.indices.last {
                        let wait = min(max(time - lastTime, 0), Title.longestWait)
                        titles[last].doubleCut = (wait * 1_000).rounded() / 1_000
                    }
                    titles.append(Title(texts: [TitleText(text: text)], position: position))
                }
                lastTime = time
            }
        }
        return titles
    }
}

/// The reason why a file of titles cannot be used.
public struct TitleImportFault: Explained, Hashable, Sendable {
    public let sentence: String

    public init(sentence: String) { self.sentence = sentence }
}
