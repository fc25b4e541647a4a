import WebServer

/// The recordings that this server made of its evenings, for services that use a part of one.
package protocol RecordedEvenings: Sendable {
    /// The roles that may hear recordings. Whoever makes a recording's sound heard elsewhere asks one of them.
    var listeningRoles: Set<WebRole> { get }
    /// The evenings with sound, newest first. Reads the disk.
    func listEvenings() -> [RecordedEvening]
    /// One evening; nil if its recording was deleted. Reads the disk.
    func evening(named name: String) -> RecordedEvening?
    /// The state of the present recording.
    var presentRecording: PresentRecording { get }
}

/// The recording of one evening.
package struct RecordedEvening: Equatable, Sendable {
    /// One file of a recording. A recording has a further part after each restart of the server.
    package struct Part: Codable, Equatable, Sendable {
        package var number: Int
        package var path: String
        /// Milliseconds since 1970 at the first sample.
        package var startedAt: Int64
        /// The time of the show at the first sample, in milliseconds; nil without a show.
        package var showTime: Int64?
        package var seconds: Double

        package init(number: Int, path: String, startedAt: Int64, showTime: Int64?, seconds: Double) {
            (self.number, self.path, self.startedAt) = (number, path, startedAt)
            (self.showTime, self.seconds) = (showTime, seconds)
        }
    }

    /// The name of the recording's folder, which identifies it.
    package var name: String
    package var title: String
    /// The names of the pieces of the programme.
    package var pieces: [String]
    package var isRunning: Bool
    /// The parts whose file is there.
    package var parts: [Part]

    package init(name: String, title: String, pieces: [String], isRunning: Bool, parts: [Part]) {
        (self.name, self.title, self.pieces) = (name, title, pieces)
        (self.isRunning, self.parts) = (isRunning, parts)
    }
}

/// The state of the recording that is being made.
package struct PresentRecording: Equatable, Sendable, Encodable {
    /// The name of the evening; nil if this server does not record.
    @OrNull package var name: String?
    /// True while sound is written.
    package var isRecording: Bool
    /// Says whether the sound is recorded, and if not, why.
    package var sentence: String
    /// The part that is being written; nil while nothing is recorded.
    package var partNumber: Int?
    /// The seconds of this part up to the newest sound. The part's file has up to a second less.
    package var partSeconds: Double

    private enum CodingKeys: String, CodingKey { case name, isRecording, sentence }

    package init(
        name: String?, isRecording: Bool, sentence: String, partNumber: Int? = nil, partSeconds: Double = 0
    ) {
        self.name = name
        (self.isRecording, self.sentence) = (isRecording, sentence)
        (self.partNumber, self.partSeconds) = (partNumber, partSeconds)
    }
}
