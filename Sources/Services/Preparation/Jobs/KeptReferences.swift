import Basics
import Foundation
import ReferenceStore
import Score

/// The references of an earlier model that did not come from the piece in preparation: evenings added them, or
/// `baton prepare --add`. Preparing the piece again keeps them.
struct KeptReferences {
    private let order: ModelOrder
    private let earlier: StoredModel?
    /// The places of the kept references in the earlier model.
    private let places: [Int]
    /// The names of references that cannot be kept, because the earlier model cannot be read.
    private let unreadable: [String]
    /// The names of recordings of a deleted piece, which had this folder before and another main recording.
    private let replaced: [String]

    /// - Throws: ``PreparationError`` if there are such references and they lie on another recording than the new model's
    ///   first one.
    init(order: ModelOrder) throws {
        self.order = order
        let folder = ModelFolder(path: order.models)
        let recordings = order.recordings + "/" + order.folder
        let own = Set(([order.main] + order.further).map(\.name))
        func isForeign(_ name: String) -> Bool {
            !own.contains(name) && !RecordingsFolderWriter.isOwn(recordings + "/" + name, of: order.piece)
        }
        guard let earlier = try? folder.loadModel(order.folder) else {
            (self.earlier, places) = (nil, [])
            unreadable = ((try? folder.contents(of: order.folder))?.references ?? []).filter(isForeign)
            replaced = []
            return
        }
        unreadable = []
        let foreign = earlier.referenceDetails.indices.filter {
            isForeign(earlier.referenceDetails[$0].name)
        }
        guard !foreign.isEmpty else {
            (self.earlier, places, replaced) = (nil, [], [])
            return
        }
        // A reference of the same sound is the piece's own, whatever its name.
        let main = try Self.sourceFile(order.main.path)
        var digests = Set([main.digest])
        for recording in order.further { digests.insert(try Self.sourceFile(recording.path).digest) }
        let kept = foreign.filter { !digests.contains(earlier.referenceDetails[$0].source.digest) }
        let first = earlier.referenceDetails[0]
        let isSameMain = first.source.digest == main.digest && first.channel == .meanOfAllChannels
        let names = kept.map { earlier.referenceDetails[$0].name }
        if !isSameMain, names.allSatisfy({ RecordingsFolderWriter.isPrepared(recordings + "/" + $0) }) {
            (self.earlier, places, replaced) = (nil, [], names)
            return
        }
        (self.earlier, places, replaced) = (earlier, kept, [])
        guard !kept.isEmpty else { return }
        guard isSameMain else { throw otherMainRecording }
        let count = own.count + kept.count
        guard count <= ModelFolder.mostReferences else {
            throw PreparationError(
                "A model has \(ModelFolder.mostReferences) recordings at most. With those that were added to it "
                    + "afterwards (\(list)) this one would have \(count). Take out recordings, or give the piece another "
                    + "folder.")
        }
    }

    /// A sentence to add to the result; empty if nothing came from elsewhere.
    var sentence: String {
        if !unreadable.isEmpty {
            return
                " The model that was there could not be read; what had been added to it afterwards is no longer in it: "
                + unreadable.joined(separator: ", ") + "."
        }
        if !replaced.isEmpty {
            let names = replaced.joined(separator: ", ")
            return " It takes the place of a deleted piece with other recordings: \(names)."
        }
        return places.isEmpty ? "" : " It keeps what had been added to it afterwards: \(list)."
    }

    /// Adds the kept references to a new model. Where bars were changed, theirs are placed between the old ones.
    func added(to stored: StoredModel) throws -> StoredModel {
        guard let earlier, !places.isEmpty else { return stored }
        var (model, details) = (stored.model, stored.referenceDetails)
        guard earlier.model.framesByRecording[0].frameCount == model.framesByRecording[0].frameCount else {
            throw otherMainRecording
        }
        for place in places {
            let about = earlier.referenceDetails[place]
            do throws(MeasureMapFault) {
                details.append(try Self.moved(about, from: earlier.model.measures, to: model.measures))
            } catch {
                throw PreparationError(
                    "The bars of the reference “\(about.name)”, which was added afterwards, cannot follow the changed "
                        + "bars (\(error.sentence)) Give the piece another folder.")
            }
            // Its frames lie on the first recording's sound, not on its bars.
            model.addReference(
                earlier.model.framesByRecording[place].unpacked,
                roomCopies: earlier.model.roomCopies.isEmpty ? [] : earlier.model.roomCopies[place]
            ) { $0 }
        }
        return StoredModel(model: model, referenceDetails: details)
    }

    /// The tables and labels beside the model for kept references, which `baton prepare` and evenings write.
    func makeMeasureReviewFiles(for reference: StoredReference) -> [String: String] {
        let isKept = places.contains { earlier?.referenceDetails[$0].name == reference.name }
        return isKept ? PreparationRun.makeMeasureReviewFiles(for: reference) : [:]
    }

    private var list: String {
        places.compactMap { earlier?.referenceDetails[$0].name }.joined(separator: ", ")
    }

    private var otherMainRecording: PreparationError {
        PreparationError(
            "The model in the folder “\(order.folder)” has references that were added to it afterwards (\(list)). They "
                + "belong to the recording that was the main one then. Make it the main recording again, or give the "
                + "piece another folder.")
    }

    private static func sourceFile(_ path: String) throws -> ModelSourceFile {
        return try ModelSourceFile(path: path)
    }

    /// A reference with the new bars of the first recording.
    private static func moved(
        _ about: StoredReference, from old: MeasureMap, to new: MeasureMap
    ) throws(MeasureMapFault) -> StoredReference {
        guard old != new else { return about }
        let (from, to) = (boundaries(old), boundaries(about.measures))
        func place(of seconds: Double) -> Double {
            guard seconds > from[0] else { return from[0] > 0 ? to[0] * seconds / from[0] : to[0] }
            let index = min((from.firstIndex { $0 > seconds } ?? from.count) - 1, from.count - 2)
            let pace = (to[index + 1] - to[index]) / (from[index + 1] - from[index])
            return TransferredMeasures.roundedToTenthMillisecond(to[index] + (seconds - from[index]) * pace)
        }
        var result = about
        result.measures = try MeasureMap(
            marks: new.marks.map {
                PlayedMeasure(
                    printed: $0.printed, onset: ReferenceTime(seconds: place(of: $0.onset.seconds)))
            }, end: ReferenceTime(seconds: place(of: new.end.seconds)))
        result.scoreAlignment = nil
        let places = Dictionary(zip(from, from.indices), uniquingKeysWith: { first, _ in first })
        let doubts = Dictionary(
            about.doubtful.map { ($0.played, $0.reasons) }, uniquingKeysWith: { a, _ in a })
        let seconds = boundaries(result.measures)
        result.doubtful = boundaries(new).enumerated().compactMap { index, boundary in
            let reasons = places[boundary].map { doubts[$0 + 1] ?? [] } ?? [movedReason]
            guard !reasons.isEmpty else { return nil }
            return DoubtfulMeasureTime(
                played: index + 1, printed: index < new.marks.count ? new.marks[index].printed : nil,
                seconds: seconds[index], reasons: reasons)
        }
        return result
    }

    private static let movedReason = "moved with the bar of the main recording"

    private static func boundaries(_ measures: MeasureMap) -> [Double] {
        measures.marks.map(\.onset.seconds) + [measures.end.seconds]
    }
}
