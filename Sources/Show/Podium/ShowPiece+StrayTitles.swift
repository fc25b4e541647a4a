import Titles

/// Titles whose bars a piece that was prepared again does not have any more.
extension ShowPiece {
    /// Looks up the measures of a stored list. No title is lost: one whose bar is not in the piece, or not after the
    /// bar of the title before, is shown by a person from now on, and its note says at which bar it was.
    /// - Returns: the list, and the reason for each title that has lost its bar.
    /// - Throws: ``TitleFault`` if the list itself cannot be used.
    public func findMeasures(ofStored titles: [Title]) throws(TitleFault)
        -> (list: TitleList, strays: [TitleFault])
    {
        var (kept, strays): ([Title], [TitleFault]) = ([], [])
        var last: (number: Int, played: Int)?
        for (index, title) in titles.enumerated() {
            let number = index + 1
            do throws(TitleFault) {
                let found = try findMeasures(of: [title]).titles[0]
                if let played = found.played {
                    if let last, last.played >= played {
                        throw .measureGoesBack(number: number, before: last.number)
                    }
                    last = (number, played)
                }
                kept.append(found)
            } catch {
                switch error {
                case .placeNotFound(_, let reason):
                    strays.append(.placeNotFound(number: number, reason: reason))
                case .measureGoesBack: strays.append(error)
                // The whole list is checked below, with the title's own number.
                default:
                    kept.append(title)
                    continue
                }
                kept.append(title.withoutPlace)
            }
        }
        return (try TitleList(kept, measureCount: playedMeasureCount), strays)
    }
}

extension Title {
    /// The title without its bar, which its note names.
    fileprivate var withoutPlace: Title {
        var free = self
        let was = "bar \(place ?? "")"
        (free.place, free.played, free.lead) = (nil, nil, 0)
        free.note = note.isEmpty ? was : "\(note) (\(was))"
        if free.note.utf8.count > TitleList.maximumTextBytes { free.note = note }
        return free
    }
}
