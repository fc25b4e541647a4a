import Basics
import Concert
import Score
import Titles

/// The programme of a show, with the sections and cues of its pieces.
///
/// The pieces have the same order as in the follower's programme, so that an index means the same piece in both.
public struct ShowProgramme: Hashable, Sendable {
    public static let mostPieces = 200

    /// The evening at which the pieces are played.
    public let evening: Evening
    public var title: String { evening.title }
    /// The pieces of the show; at least one, and each movement is a piece. See ``isEmpty`` for a programme to which
    /// nothing has been added yet.
    public let pieces: [ShowPiece]
    /// The pieces after which an intermission is planned, as rising indices into ``pieces``. The plan is shown to the
    /// technician, who begins and ends the intermission.
    public let intermissions: [Int]

    /// Creates a programme.
    /// - Parameter intermissions: see ``intermissions``; indices outside the programme are left out, and so is an
    ///   intermission after the last piece.
    /// - Throws: ``ShowProgrammeFault`` if there is no piece, or if there are too many.
    public init(_ evening: Evening, pieces: [ShowPiece], intermissions: [Int] = []) throws(ShowProgrammeFault)
    {
        guard !pieces.isEmpty else { throw .noPiece }
        guard pieces.count <= Self.mostPieces else { throw .tooManyPieces(pieces.count) }
        self.init(evening, unchecked: pieces, intermissions: intermissions)
    }

    public init(title: String, pieces: [ShowPiece], intermissions: [Int] = []) throws(ShowProgrammeFault) {
        try self.init(Evening(title), pieces: pieces, intermissions: intermissions)
    }

    /// Returns the same programme with other sections.
    /// - Parameter sections: of each piece.
    /// - Throws: ``ShowProgrammeFault`` if a section is outside its piece.
    public func replacingSections(by sections: [[PieceSection]]) throws(ShowProgrammeFault) -> ShowProgramme {
        var changed: [ShowPiece] = []
        for (piece, sections) in zip(pieces, sections) {
            changed.append(
                try ShowPiece(
                    name: piece.name, folder: piece.folder, measures: piece.measures, sections: sections,
                    cues: piece.cues, titles: piece.titles, beatsPerBar: piece.beatsPerBar))
        }
        return ShowProgramme(evening, unchecked: changed, intermissions: intermissions)
    }

    /// Returns the same programme with other cues in one piece.
    /// - Throws: ``CueFault`` if a cue is outside the piece.
    public func replacingCues(of piece: Int, by cues: CueList) throws(CueFault) -> ShowProgramme {
        precondition(pieces.indices.contains(piece), "the programme has no piece \(piece)")
        var changed = pieces
        changed[piece] = try pieces[piece].replacingCues(by: cues)
        return ShowProgramme(evening, unchecked: changed, intermissions: intermissions)
    }

    /// Returns the same programme with other titles in one piece.
    /// - Throws: ``TitleFault`` if a title is outside the piece, or if all titles of the programme are too long.
    public func replacingTitles(of piece: Int, by titles: TitleList) throws(TitleFault) -> ShowProgramme {
        precondition(pieces.indices.contains(piece), "the programme has no piece \(piece)")
        var changed = pieces
        changed[piece] = try pieces[piece].replacingTitles(by: titles)
        let bytes = changed.reduce(0) { $0 + $1.titles.byteCount }
        guard bytes <= TitleList.maximumBytesOfProgramme || titles.byteCount <= pieces[piece].titles.byteCount
        else {
            throw .programmeTooLong(bytes: bytes)
        }
        return ShowProgramme(evening, unchecked: changed, intermissions: intermissions)
    }

    init(_ evening: Evening, unchecked pieces: [ShowPiece], intermissions: [Int]) {
        self.evening = evening
        self.pieces = pieces
        self.intermissions = Set(intermissions).filter { (0..<max(pieces.count - 1, 0)).contains($0) }
            .sorted()
    }

    /// Returns the position to send to the phones.
    /// - Returns: nil for a measure that phones cannot show, or a position outside the programme.
    public func livePositionForPhones(_ shown: AudiencePosition) -> LivePosition? {
        guard pieces.indices.contains(shown.piece) else { return nil }
        return try? LivePosition(piece: pieces[shown.piece].name, measure: shown.printed)
    }
}

/// One piece or movement of the show.
public struct ShowPiece: Hashable, Sendable {
    public let name: PieceName
    /// The folder of the piece's model in the data directory. Editors also identify the piece by it.
    public let folder: String
    /// The measures of the reference, with their times.
    public let measures: MeasureMap
    /// The measures with the durations that are expected tonight.
    public let timeline: ExpectedTimeline
    /// The beats of a bar; nil if they are unknown or change.
    public let beatsPerBar: Int?
    /// Rehearsal letters and other sections, in the order of their measures.
    public let sections: [PieceSection]
    public let cues: CueList
    /// The titles of the piece; empty for most pieces.
    public let titles: TitleList

    /// Creates a piece.
    /// - Throws: ``ShowProgrammeFault`` if a section or a cue is outside the measures.
    public init(
        name: PieceName, folder: String, measures: MeasureMap, sections: [PieceSection] = [],
        cues: CueList = CueList(), titles: TitleList = TitleList(), beatsPerBar: Int? = nil
    ) throws(ShowProgrammeFault) {
        for (index, section) in sections.enumerated() {
            let floor = index == 0 ? 0 : sections[index - 1].start
            guard section.start >= floor, section.start < measures.marks.count else {
                throw .sectionOutsidePiece(piece: name.text, label: section.label, start: section.start)
            }
        }
        for cue in cues.cues {
            do throws(CueFault) { try cue.check(measureCount: measures.marks.count) } catch {
                throw .invalidCue(piece: name.text, error)
            }
        }
        do throws(TitleFault) { try titles.check(measureCount: measures.marks.count) } catch {
            throw .invalidTitle(piece: name.text, error)
        }
        self.name = name
        self.folder = folder
        self.measures = measures
        timeline = ExpectedTimeline(measures)
        self.sections = sections
        self.cues = cues
        self.titles = titles
        self.beatsPerBar = beatsPerBar
    }

    /// Creates a piece without sections and cues.
    init(name: PieceName, folder: String, measures: MeasureMap) {
        (self.name, self.folder, self.measures) = (name, folder, measures)
        timeline = ExpectedTimeline(measures)
        (sections, cues, titles, beatsPerBar) = ([], CueList(), TitleList(), nil)
    }

    private init(_ piece: ShowPiece, cues: CueList, titles: TitleList) {
        name = piece.name
        folder = piece.folder
        measures = piece.measures
        timeline = piece.timeline
        sections = piece.sections
        beatsPerBar = piece.beatsPerBar
        self.cues = cues
        self.titles = titles
    }

    /// The beats a minute of the reference around a measure; nil if the beats of a bar are not known. It is the median
    /// of five measures, so that an upbeat or a hold does not count.
    public func referenceBeatsPerMinute(at played: Int) -> Double? {
        guard let beatsPerBar, measures.marks.indices.contains(played) else { return nil }
        let near = max(0, played - 2)...min(measures.marks.count - 1, played + 2)
        let seconds = near.map { index in
            let end = index + 1 < measures.marks.count ? measures.marks[index + 1].onset : measures.end
            return end.seconds - measures.marks[index].onset.seconds
        }.sorted()
        return Double(beatsPerBar) * 60 / seconds[seconds.count / 2]
    }

    func replacingCues(by cues: CueList) throws(CueFault) -> ShowPiece {
        for cue in cues.cues { try cue.check(measureCount: measures.marks.count) }
        return ShowPiece(self, cues: cues, titles: titles)
    }

    func replacingTitles(by titles: TitleList) throws(TitleFault) -> ShowPiece {
        try titles.check(measureCount: measures.marks.count)
        return ShowPiece(self, cues: cues, titles: titles)
    }

    /// Returns the titles with the measures that their places mean in this piece.
    /// - Throws: ``TitleFault`` naming the first title whose place the piece does not have, or whose measure is not
    ///   after the one of the title before.
    public func findMeasures(of titles: [Title]) throws(TitleFault) -> TitleList {
        var found = titles
        for (index, title) in titles.enumerated() {
            found[index].played = nil
            guard let written = title.place else { continue }
            guard let place = MeasureReference(written) else {
                throw .placeNotFound(
                    number: index + 1, reason: "“\(written.prefix(40))” is no bar; write 57, 57/2, C or p:60."
                )
            }
            do throws(MeasureReferenceFault) {
                found[index].played = try place.resolve(in: self)
            } catch {
                throw .placeNotFound(number: index + 1, reason: error.sentence)
            }
        }
        return try TitleList(found, measureCount: playedMeasureCount)
    }

    public var playedMeasureCount: Int { measures.marks.count }

    /// The printed number of a played measure; an index outside the piece counts as the nearest one in it.
    public func printedMeasure(at played: Int) -> Int {
        measures.marks[min(max(played, 0), measures.marks.count - 1)].printed
    }

    /// The section to which a played measure belongs; nil before the first section.
    public func section(at played: Int) -> PieceSection? { sections.last { $0.start <= played } }

    /// The shortest way to write a played measure: `57`, or `57/2` if it is played more than once.
    public func measureReference(at played: Int) -> MeasureReference {
        let printed = printedMeasure(at: played)
        let times = measures.playedIndices(printed: printed)
        guard times.count > 1, let time = times.firstIndex(of: played) else {
            return .printedMeasure(printed, time: nil)
        }
        return .printedMeasure(printed, time: time + 1)
    }
}

/// A rehearsal letter or another named section of a piece.
public struct PieceSection: Hashable, Sendable, Codable {
    public var label: String
    /// The index of the section's first played measure, counted from 0.
    public var start: Int

    public init(label: String, start: Int) {
        self.label = label
        self.start = start
    }
}

/// The first mistake in a programme.
public enum ShowProgrammeFault: Explained, Hashable, Sendable {
    case noPiece
    case tooManyPieces(Int)
    case sectionOutsidePiece(piece: String, label: String, start: Int)
    case invalidCue(piece: String, CueFault)
    case invalidTitle(piece: String, TitleFault)

    public var sentence: String {
        switch self {
        case .noPiece: "The programme has no piece; add one."
        case .tooManyPieces(let count):
            "The programme has \(count) pieces; at most \(ShowProgramme.mostPieces) are possible."
        case .sectionOutsidePiece(let piece, let label, let start):
            "The section “\(label)” of “\(piece)” starts at played measure \(start), which is outside the piece or "
                + "before the section before it; correct its start."
        case .invalidCue(let piece, let fault): "In “\(piece)”: \(fault.sentence)"
        case .invalidTitle(let piece, let fault): "In “\(piece)”: \(fault.sentence)"
        }
    }
}

extension ShowProgramme: Codable {
    private enum CodingKeys: CodingKey { case pieces, intermissions }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            Evening(from: decoder), pieces: fields.decode([ShowPiece].self, forKey: .pieces),
            intermissions: fields.decodeIfPresent([Int].self, forKey: .intermissions) ?? [])
    }

    /// Programmes without intermissions are written as before there were any, so that their logs stay the same.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try evening.encode(to: encoder)
        try fields.encode(pieces, forKey: .pieces)
        if !intermissions.isEmpty { try fields.encode(intermissions, forKey: .intermissions) }
    }
}

extension ShowPiece: Codable {
    private enum CodingKeys: CodingKey { case name, folder, measures, sections, cues, titles }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: fields.decode(PieceName.self, forKey: .name),
            folder: fields.decode(String.self, forKey: .folder),
            measures: fields.decode(MeasureMap.self, forKey: .measures),
            sections: fields.decode([PieceSection].self, forKey: .sections),
            cues: fields.decode(CueList.self, forKey: .cues),
            titles: fields.decodeIfPresent(TitleList.self, forKey: .titles) ?? TitleList())
    }

    /// Pieces without titles are written as before there were any, so that their logs stay the same.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(folder, forKey: .folder)
        try fields.encode(measures, forKey: .measures)
        try fields.encode(sections, forKey: .sections)
        try fields.encode(cues, forKey: .cues)
        if !titles.isEmpty { try fields.encode(titles, forKey: .titles) }
    }
}
