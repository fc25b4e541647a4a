import Basics
import Foundation
import Hosting
import Pictures
import ScorePages
import WebServer

/// The PDF or video that a speaker's page is sending, piece by piece, so that a lost connection does not begin it
/// again.
actor SlidesUpload {
    /// The most bytes of one piece. Anybody may send one before the token is looked at, so it is small.
    static let pieceBytes = 256 << 10
    /// The time without a piece after which an upload is given up.
    static let longestPause = Duration.seconds(120)

    private let entrance: PresenterEntrance
    private let slides: SlideStore
    private var file: ArrivingSlides?
    /// The name of the video that arrives; nil if slides do.
    private var videoName: String?
    private var byteCount = 0
    private var received = 0
    private var lastPiece = ContinuousClock.now
    /// True while a piece is written, or the whole file is checked.
    private var isBusy = false
    /// The answer to the last piece of a file, which is repeated if it got lost.
    private var result: (id: String, response: WebResponse)?

    init(entrance: PresenterEntrance, slides: SlideStore) {
        (self.entrance, self.slides) = (entrance, slides)
    }

    /// Gives up a file that has not arrived whole, as when the session ended while a piece was written.
    deinit {
        guard let file else { return }
        Task { [entrance] in await entrance.discard(file) }
    }

    private struct Progress: Encodable {
        var upload: String
        var received: Int
        var pieceBytes = SlidesUpload.pieceBytes
        /// The number of pages once the file is checked; 0 for a video.
        @OrNull var pages: Int?
    }

    /// Begins a file; one that was not complete is given up.
    /// - Parameter videoName: the name of a video; nil for slides.
    func begin(byteCount: Int, videoName: String?) async -> WebResponse {
        guard !isBusy else { return Self.busy }
        isBusy = true
        defer { isBusy = false }
        if let file { await entrance.discard(file) }
        file = nil
        do {
            let new =
                videoName == nil
                ? try await entrance.beginSlides(byteCount: byteCount)
                : try await entrance.beginVideo(byteCount: byteCount)
            (file, self.byteCount, received, lastPiece, result) = (new, byteCount, 0, .now, nil)
            self.videoName = videoName
            return .json(Progress(upload: new.id, received: 0, pages: nil))
        } catch {
            return Self.refusal(error)
        }
    }

    /// Adds a piece; with the last one the file becomes the presenter's slides.
    func add(_ piece: [UInt8], at offset: Int, of id: String) async -> WebResponse {
        if let result, result.id == id { return result.response }
        guard !isBusy else { return Self.busy }
        guard let file, file.id == id else {
            return .refused(404, "no-upload", "This upload is no longer known; send the file again.")
        }
        guard offset == received, received + piece.count <= byteCount, !piece.isEmpty else {
            let sentence = "The server has \(received) bytes of this file; go on there."
            return Refusal(409, "wrong-offset", sentence, with: ["received": received]).response
        }
        isBusy = true
        defer { isBusy = false }
        do {
            try await file.write(piece)
            received += piece.count
            lastPiece = .now
            guard received == byteCount else {
                return .json(Progress(upload: id, received: received, pages: nil))
            }
            self.file = nil
            let pages = try await complete(file)
            let response = WebResponse.json(Progress(upload: id, received: received, pages: pages))
            result = (id, response)
            return response
        } catch {
            if self.file != nil { await entrance.discard(file) }
            self.file = nil
            let response = Self.refusal(error)
            result = (id, response)
            return response
        }
    }

    /// Makes a file that has arrived whole the presenter's.
    /// - Returns: the number of pages.
    private func complete(_ file: ArrivingSlides) async throws -> Int {
        guard let videoName else { return try await entrance.addSlides(file) }
        try await entrance.addVideo(file, name: videoName)
        return 0
    }

    /// Gives up a file that has not arrived whole.
    /// - Parameter isOld: true to do so only if no piece has come for some time.
    func discard(onlyIfOld isOld: Bool) async {
        guard let file, !isBusy, !isOld || .now - lastPiece > Self.longestPause else { return }
        self.file = nil
        await entrance.discard(file)
    }

    private static let busy = WebResponse.refused(
        503, "busy", "The piece before this one is being written; send this one again."
    ).withHeader("Retry-After", "1")

    private static func refusal(_ error: any Error) -> WebResponse {
        switch error {
        case let error as ScorePagesError:
            .refused(422, "bad-pdf", error.slidesSentence)
        case let error as VideoRefusal: .refused(422, "bad-video", error.sentence)
        case let error as ExplainedError: .refused(507, "disk-full", error.sentence)
        case let error as SlidesRefusal: error.outcome.refusalResponse
        case is PresenterEntrance.NotRegistered:
            .refused(409, "no-presenter", "You are not connected; join again.")
        default: .refused(500, "failed", "The file could not be written on the server.")
        }
    }
}
