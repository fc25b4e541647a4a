import Alignment
import Basics
import Features
import Following
import Score
import TakeReport

// The functions that the page's module (follower.js) calls. An instance follows one piece, as a concert of it; for
// another one, or after a trap, the page makes a new instance.

/// The piece as the page has given it, before it is followed.
struct GivenPiece {
    var recordings: [PackedFrames] = []
    var roomCopies: [[RoomCopy]] = []
    var measures: [PlayedMeasure] = []
    var sectionStarts: [Int] = []
    /// Of its score, for reports on takes.
    var notes: [PieceNotes.Note] = []
}

/// The frames of all recordings a second.
let framesPerSecond = 50

nonisolated(unsafe) var given = GivenPiece()
nonisolated(unsafe) private var follower: ConcertFollower?
nonisolated(unsafe) private var newest: PositionReport?
nonisolated(unsafe) private let reportRow = UnsafeMutablePointer<Double>.allocate(capacity: reportColumns)
private let reportColumns = 10

/// Memory for the page's bytes or samples; freed by ``freeMemory(_:)``.
@_cdecl("baton_alloc")
public func allocateMemory(_ bytes: Int32) -> UnsafeMutableRawPointer {
    .allocate(byteCount: Int(bytes), alignment: 16)
}

@_cdecl("baton_free")
public func freeMemory(_ memory: UnsafeMutableRawPointer) { memory.deallocate() }

/// The bytes of a file of frames before its content (docs/model-format.md).
private let headerBytes = 20

/// Takes the header and the content of a file of frames (docs/model-format.md), which the page has inflated.
/// - Parameter room: the index of its room in ``RoomShape/ofReferences``, for a copy of the recording before; below 0 for
///   a recording.
/// - Returns: the number of frames; -1 if it is no such file, or a copy without a recording.
@_cdecl("baton_add_frames")
public func addFrames(_ file: UnsafePointer<UInt8>, _ length: Int32, _ room: Int32) -> Int32 {
    guard length >= headerBytes else { return -1 }
    let raw = UnsafeRawBufferPointer(start: file, count: Int(length))
    let version = Int(raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    let dimensions = Int(raw.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
    let count = Int(raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    guard (1...2).contains(version), dimensions == FeatureParameters().dimensions,
        (1...mostFrames).contains(count),
        let frames = PackedFrames(
            version: version, dimensions: dimensions, frameCount: count,
            content: UnsafeRawBufferPointer(rebasing: raw[headerBytes...]))
    else { return -1 }
    if room < 0 {
        given.recordings.append(frames)
        given.roomCopies.append([])
    } else {
        guard !given.recordings.isEmpty, RoomShape.ofReferences.indices.contains(Int(room)) else { return -1 }
        given.roomCopies[given.roomCopies.count - 1]
            .append(RoomCopy(room: RoomShape.ofReferences[Int(room)], frames: frames))
    }
    return Int32(count)
}

/// Two hours, the longest reference of a model.
private let mostFrames = 360_000

/// Takes the next played measure: its printed number and its onset in seconds.
@_cdecl("baton_add_measure")
public func addMeasure(_ printed: Int32, _ onset: Double) {
    given.measures.append(PlayedMeasure(printed: Int(printed), onset: ReferenceTime(seconds: onset)))
}

/// Takes a played measure, counted from 0, at which a section begins.
@_cdecl("baton_add_section")
public func addSection(_ played: Int32) { given.sectionStarts.append(Int(played)) }

/// Makes the follower of what was given.
/// - Parameters:
///   - end: the end of the last measure in seconds.
///   - rate: the samples a second of what will be pushed.
/// - Returns: 0 if it was done; 1 without a recording, 2 if the measures or the rate make no sense.
@_cdecl("baton_begin")
public func begin(_ end: Double, _ rate: Double) -> Int32 {
    guard !given.recordings.isEmpty else { return 1 }
    guard rate.isFinite, (8_000...192_000).contains(rate) else { return 2 }
    do throws(MeasureMapFault) {
        let model = ReferenceModel(
            pieceName: .noPieceYet,
            measures: try MeasureMap(marks: given.measures, end: ReferenceTime(seconds: end)),
            framesPerSecond: framesPerSecond, framesByRecording: given.recordings,
            roomCopies: given.roomCopies, sectionStartMeasures: given.sectionStarts)
        given = GivenPiece()
        follower = ConcertFollower(
            programme: ConcertProgramme(title: "", pieceModels: [model]), sampleRate: SampleRate(hertz: rate),
            transforms: MixedRadixSpectrumMaker())
        return 0
    } catch { return 2 }
}

/// Says that the music is at this second of the reference, as a person does who sets a bar.
@_cdecl("baton_place")
public func place(_ seconds: Double) { follower?.takeOperatorPosition(at: ReferenceTime(seconds: seconds)) }

/// Forgets what was heard, and waits for the music at a played measure, counted from 0.
/// - Returns: 0 if it was done; 1 if the piece has no such measure.
@_cdecl("baton_begin_at")
public func begin(at played: Int32) -> Int32 {
    guard let follower,
        follower.programme.pieceModels[0].measures.marks.indices.contains(Int(played))
    else { return 1 }
    follower.begin(
        at: ProgrammePosition(pieceIndex: 0, position: ScorePosition(played: Int(played), fraction: 0)))
    return 0
}

/// Hears samples, full scale 1.
/// - Returns: the number of reports that they gave. The newest is at ``newestReport()``.
@_cdecl("baton_push")
public func push(_ samples: UnsafePointer<Float>, _ count: Int32) -> Int32 {
    var made: Int32 = 0
    follower?.hearSamples(UnsafeBufferPointer(start: samples, count: Int(count))) {
        newest = $0.positionReport
        made += 1
    }
    return made
}

/// The newest report as numbers: the second of the live sound, the second of the reference, the played measure, the
/// printed one, the fraction of the measure, the tempo, the confidence, the state as its index, the transposition in
/// semitones, the tuning in cents. -1 stands for what is not known.
@_cdecl("baton_report")
public func newestReport() -> UnsafeMutablePointer<Double> {
    guard let newest else { return reportRow }
    let state = FollowerState.allCases.firstIndex(of: newest.state)
    let columns: [Double] = [
        newest.liveTime.seconds, newest.referenceTime?.seconds ?? -1, Double(newest.position?.played ?? -1),
        Double(newest.printedMeasure ?? -1), newest.position?.fraction ?? 0, newest.tempo.value,
        newest.confidence,
        Double(state ?? -1), Double(newest.transpositionSemitones), newest.tuningCents,
    ]
    for (index, value) in columns.enumerated() { reportRow[index] = value }
    return reportRow
}

nonisolated(unsafe) var extractor: ReferenceFrameExtractor?

/// Begins to make frames of a recording, which is pushed twice: for its tuning, and for the frames.
@_cdecl("baton_listen")
public func listen(_ rate: Double) {
    extractor = ReferenceFrameExtractor(
        sampleRate: SampleRate(hertz: rate), transforms: MixedRadixSpectrumMaker(),
        parameters: FeatureParameters(),
        rooms: [])
}

/// Takes samples of the recording: those of the first time, or those of the second.
@_cdecl("baton_listen_push")
public func listen(_ samples: UnsafePointer<Float>, _ count: Int32, _ isSecondTime: Int32) {
    let block = UnsafeBufferPointer(start: samples, count: Int(count))
    if isSecondTime == 0 {
        extractor?.addTuningPassSamples(block)
    } else {
        extractor?.addFramePassSamples(block)
    }
}

/// The header and the content of a file of frames of the recording, as ``addFrames(_:_:_:)`` takes them; the length
/// follows from the header.
@_cdecl("baton_listen_end")
public func endListening() -> UnsafeMutablePointer<UInt8> {
    let frames = extractor?.frames.packed
    extractor = nil
    let content = frames?.bytes ?? []
    let file = UnsafeMutablePointer<UInt8>.allocate(capacity: headerBytes + content.count)
    let raw = UnsafeMutableRawPointer(file)
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: headerBytes)
    for (index, letter) in "BATONREF".utf8.enumerated() { file[index] = letter }
    for (offset, value) in [(8, 2), (10, FeatureParameters().dimensions), (12, framesPerSecond)] {
        raw.storeBytes(of: UInt16(value), toByteOffset: offset, as: UInt16.self)
    }
    raw.storeBytes(of: UInt32(frames?.frameCount ?? 0), toByteOffset: 16, as: UInt32.self)
    (file + headerBytes).initialize(from: content, count: content.count)
    return file
}
