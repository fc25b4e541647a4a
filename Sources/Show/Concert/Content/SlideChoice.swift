extension Track {
    /// The slide that is right while a played measure sounds: the last one that has begun, never a later one.
    /// - Returns: index into ``slides``; nil before the first, where a listener sees nothing or ``waiting``.
    /// - Complexity: O(slides).
    public func slide(at played: Int) -> Int? {
        var best: (index: Int, played: Int)?
        for (index, slide) in slides.enumerated() {
            // A slide on a measure that is never played is never shown live.
            guard let start = slide.place.played, start <= played else { continue }
            if let best, best.played > start { continue }
            best = (index, start)
        }
        return best?.index
    }

    /// The page to show while ``slide(at:)`` is nil, and when a piece is opened: the first, as the apps do.
    public var waiting: Int? { slides.isEmpty ? nil : 0 }

    /// The played measures a slide stands: from its own up to the next one that begins later.
    /// - Parameter count: how many measures are played.
    /// - Returns: nil for a slide whose measure is never played.
    /// - Complexity: O(slides).
    public func measures(ofSlide index: Int, count: Int) -> Range<Int>? {
        guard slides.indices.contains(index), let start = slides[index].place.played else { return nil }
        let next = slides.compactMap(\.place.played).filter { $0 > start }.min() ?? count
        return start..<max(next, start + 1)
    }
}

extension PieceContent {
    /// The played measure a printed number of the live stream means, for a client that hears only these.
    ///
    /// A repeated bar bears its number twice: the first occurrence not before the one heard last is meant, or
    /// the first of all where the music went back.
    /// - Parameter last: the played measure the client was at, nil when it joins.
    /// - Complexity: O(measures).
    public func played(printed: Int, after last: Int?) -> Int? {
        let all = measures.indices.lazy.filter { measures[$0].printed == printed }
        return all.first { $0 >= last ?? 0 } ?? all.first
    }
}
