extension Track {
    /// Finds the slide to show during a played measure: the last one that has started, never a later one.
    /// - Returns: index into ``slides``; nil before the first slide, when a listener sees nothing or
    ///   ``waitingSlideIndex``.
    /// - Complexity: O(slides).
    public func slideIndex(at played: Int) -> Int? {
        var best: (index: Int, played: Int)?
        for (index, slide) in slides.enumerated() {
            // A slide whose measure is never played is never shown live.
            guard let start = slide.place.played, start <= played else { continue }
            if let best, best.played > start { continue }
            best = (index, start)
        }
        return best?.index
    }

    /// Index of the slide to show before the first slide has started, and when a piece is opened: the first one, as in
    /// the apps; nil if there is no slide.
    public var waitingSlideIndex: Int? { slides.isEmpty ? nil : 0 }

    /// Finds the played measures during which a slide is shown: from its own measure up to the start of the next later
    /// slide.
    /// - Parameter count: number of played measures.
    /// - Returns: nil for a slide whose measure is never played.
    /// - Complexity: O(slides).
    public func playedMeasures(ofSlide index: Int, count: Int) -> Range<Int>? {
        guard slides.indices.contains(index), let start = slides[index].place.played else { return nil }
        let next = slides.compactMap(\.place.played).filter { $0 > start }.min() ?? count
        return start..<max(next, start + 1)
    }
}

extension PieceContent {
    /// Finds the played measure for a printed number, for a client that receives only printed numbers.
    ///
    /// If a bar is repeated, its number occurs several times. The function returns the first occurrence that is not
    /// before the client's last played measure. If the music went back, it returns the first of all.
    /// - Parameter last: the client's last played measure; nil when it has just joined.
    /// - Complexity: O(measures).
    public func playedMeasure(printed: Int, after last: Int?) -> Int? {
        let all = measures.indices.lazy.filter { measures[$0].printed == printed }
        return all.first { $0 >= last ?? 0 } ?? all.first
    }
}
