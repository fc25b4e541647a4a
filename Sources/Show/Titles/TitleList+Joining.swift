import Basics

/// A list in one more language, from a list of its own: the subtitles of the same recording in two files.
extension TitleList {
    /// Titles without a bar belong to the one with a bar before them.
    private struct Run {
        /// The measure of the first title; -1 for titles before any with a bar.
        var played: Int
        var titles: [Title]
    }

    private var runs: [Run] {
        titles.reduce(into: []) { runs, title in
            if let played = title.played ?? (runs.isEmpty ? -1 : nil) {
                runs.append(Run(played: played, titles: [title]))
            } else {
                runs[runs.count - 1].titles.append(title)
            }
        }
    }

    /// Returns the titles with the texts of another list of the same piece, whose languages are others.
    ///
    /// Titles at one bar are one title. Where only one list has a title, the other's text that stands there stays: so a
    /// sentence may be one title in one language and two in another. Without any bars, the lists are joined by number.
    /// - Throws: ``ExplainedError`` if a language is in both, or if lists without bars differ in length.
    /// - Complexity: O(titles).
    public func joined(with other: TitleList) throws(ExplainedError) -> [Title] {
        if let twice = other.languages.first(where: languages.contains) {
            throw ExplainedError(
                twice.isEmpty
                    ? "The texts of both lists have no language; write one for the file, and one in the list."
                    : "The list has texts in “\(twice)” already; write another language for the file.")
        }
        let (mine, theirs) = (runs, other.runs)
        if mine.allSatisfy({ $0.played < 0 }), theirs.allSatisfy({ $0.played < 0 }), count != other.count {
            throw ExplainedError(
                "The file has \(other.count) titles and the list has \(count), both without bars, so nobody knows which "
                    + "belong together; write them in the same number.")
        }
        var (joined, standing): ([Title], (mine: Title?, theirs: Title?)) = ([], (nil, nil))
        var (next, nextOther) = (mine[...], theirs[...])
        while let played = [next.first?.played, nextOther.first?.played].compactMap({ $0 }).min() {
            let own = next.first?.played == played ? next.removeFirst().titles : []
            let added = nextOther.first?.played == played ? nextOther.removeFirst().titles : []
            for index in 0..<max(own.count, added.count) {
                if index < own.count { standing.mine = own[index] }
                if index < added.count { standing.theirs = added[index] }
                var title = index < own.count ? own[index] : added[index]
                title.texts =
                    texts(standing.mine, of: languages) + texts(standing.theirs, of: other.languages)
                let isEmptyAgain = own.isEmpty && title.isEmpty && joined.last?.isEmpty ?? true
                if !isEmptyAgain { joined.append(title) }
            }
        }
        return joined
    }

    /// The texts in all languages, so that each title has them in the same order.
    private func texts(_ title: Title?, of languages: [String]) -> [TitleText] {
        languages.map { language in
            TitleText(language: language, text: title?.texts.first { $0.language == language }?.text ?? "")
        }
    }
}
