import Score

extension ContentCheck {
    static func trackFindings(
        _ piece: PieceContent, at index: Int, assets: Set<AssetName>?
    ) -> [ContentFinding] {
        var findings: [ContentFinding] = []
        if piece.tracks.isEmpty {
            findings.append(
                ContentFinding(
                    .noTracks, .warning, at: FindingLocation(piece: index),
                    "“\(piece.name)” has no track, so that listeners see nothing; write at least one."))
        }
        var names: Set<String> = []
        for (number, track) in piece.tracks.enumerated() {
            let place = FindingLocation(piece: index, track: number)
            if let sentence = trackNameError(track, in: piece, seen: !names.insert(track.name).inserted) {
                findings.append(ContentFinding(.trackName, .error, at: place, sentence))
            }
            if track.slides.isEmpty {
                findings.append(
                    ContentFinding(
                        .emptyTrack, .warning, at: place,
                        "The track “\(track.name)” of “\(piece.name)” has no slide; write one or remove the track."
                    ))
            }
            findings += slideFindings(track, of: piece, at: place, assets: assets)
        }
        return findings
    }

    private static func trackNameError(_ track: Track, in piece: PieceContent, seen: Bool) -> String? {
        if track.name.isEmpty { return "A track of “\(piece.name)” has no name; give it one." }
        if Track.reservedNames.contains(track.name) {
            return
                "The track “\(track.name)” of “\(piece.name)” has a name the format keeps for itself; rename it."
        }
        return seen
            ? "Two tracks of “\(piece.name)” are named “\(track.name)”; phones would show one: rename the other."
            : nil
    }

    private static func slideFindings(
        _ track: Track, of piece: PieceContent, at place: FindingLocation, assets: Set<AssetName>?
    ) -> [ContentFinding] {
        var findings: [ContentFinding] = []
        let spans = shownSeconds(of: track, in: piece)
        var last: Int?
        for (number, slide) in track.slides.enumerated() {
            var here = place
            here.slide = number
            let words = "slide \(number + 1) of “\(track.name)” in “\(piece.name)”"
            func add(_ rule: ContentRule, _ severity: FindingSeverity, _ sentence: String) {
                findings.append(ContentFinding(rule, severity, at: here, sentence))
            }

            let parts = slide.text.parts
            let (images, characters) = (parts.images, parts.readableCharacterCount)
            if characters == 0, images.isEmpty {
                add(.emptySlide, .warning, "There is nothing on \(words); write something or remove it.")
            }
            for image in images where assets.map({ !$0.contains(image) }) ?? false {
                add(
                    .missingImage, .error,
                    "The image “\(image)” on \(words) is missing; upload it or correct its name.")
            }
            addSlideTimingFindings(slide, words, piece, add)
            if let played = slide.place.played {
                if played == last {
                    add(
                        .sameMeasure, .error,
                        "Measure \(slide.place.printed) has two slides, and \(words) hides the one before it; "
                            + "move one or join them.")
                } else if let last, played < last {
                    add(
                        .slideOrder, .error,
                        "Measure \(slide.place.printed) is played before the slide that stands before \(words); "
                            + "put the slides in the order they are played.")
                }
                last = played
            }
            addSlideLengthFinding(characters, spans[number], words, add)
        }
        return findings
    }

    private static func addSlideTimingFindings(
        _ slide: Slide, _ words: String, _ piece: PieceContent,
        _ add: (ContentRule, FindingSeverity, String) -> Void
    ) {
        guard let first = piece.measures.first, let end = piece.musicEndSeconds else { return }
        let time = slide.place.time
        if time.seconds < first.onset.seconds - timeToleranceSeconds {
            add(.outsideTheMusic, .warning, "The time of \(words) is before the first measure; correct it.")
        } else if time.seconds > end + timeToleranceSeconds {
            add(.outsideTheMusic, .warning, "The time of \(words) is after the last measure; correct it.")
        } else if let played = slide.place.played, piece.measures.indices.contains(played),
            abs(piece.measures[played].onset.seconds - time.seconds) > timeToleranceSeconds
        {
            add(
                .timeAtOdds, .warning,
                "The time of \(words) is \(XMLText.formatSeconds(time)) s, but measure \(slide.place.printed) starts "
                    + "at \(XMLText.formatSeconds(piece.measures[played].onset)) s; correct one of them.")
        }
        if slide.place.played == nil {
            add(
                .unknownMeasure, .error,
                "Measure \(slide.place.printed) of \(words) is not among the measures played, so that the slide "
                    + "never shows; correct it.")
        }
    }

    private static func addSlideLengthFinding(
        _ count: Int, _ stands: Double?, _ words: String,
        _ add: (ContentRule, FindingSeverity, String) -> Void
    ) {
        let needed = Double(count) / readCharactersPerSecond
        if let stands, needed > stands {
            let fits = Int(stands * readCharactersPerSecond)
            add(
                .slideTooLong, .warning,
                "There are \(count) characters on \(words), which stands \(formattedTenths(stands)) s and "
                    + "can be read up to "
                    + "\(fits); shorten it or give it more measures.")
        } else if count > longSlideCharacters {
            add(
                .longSlide, .hint,
                "There are \(count) characters on \(words); one or two short lines are read by more listeners."
            )
        }
    }

    /// Seconds for which each slide is shown, according to the reference recording; nil for a slide whose measure is
    /// never played.
    private static func shownSeconds(of track: Track, in piece: PieceContent) -> [Double?] {
        guard let end = piece.musicEndSeconds else { return track.slides.map { _ in nil } }
        let onsets = track.slides.map { slide in
            slide.place.played.flatMap {
                piece.measures.indices.contains($0) ? piece.measures[$0].onset.seconds : nil
            }
        }
        let sorted = Set(onsets.compactMap(\.self)).sorted()
        let next = Dictionary(
            zip(sorted, sorted.dropFirst() + [end]), uniquingKeysWith: { first, _ in first })
        return onsets.map { onset in onset.flatMap { start in next[start].map { max($0 - start, 0) } } }
    }

    private static func formattedTenths(_ seconds: Double) -> String {
        let tenths = Int((min(seconds, 1e9) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
