import Foundation

/// Something that the server does with a piece for longer than a request takes.
package enum PreparationTask: Codable, Equatable, Sendable {
    /// Make the listening copy and the pictures of a recording's sound.
    case listen(recording: String)
    /// Find the bars of the main recording by the score.
    case align(route: String, insists: Bool)
    /// Find the bars of the main recording from taps.
    case snap(taps: [TapOrder.Tap], every: Int, replacesAll: Bool)
    /// Make the main recording from the score.
    case render
    /// Take a part of a recorded evening as a recording.
    case takeEvening(EveningRange)
    /// Find the bars of a further recording.
    case reference(recording: String)
    /// Write the model and the recordings' folder.
    case prepare(folder: String)
    /// Follow the recordings of the prepared piece with made trouble, for the forecast.
    case tryTrouble(folder: String)

    /// The name of the kind in requests and answers.
    package var kind: String {
        switch self {
        case .listen: "listen"
        case .align: "align"
        case .snap: "snap"
        case .render: "render"
        case .takeEvening: "evening"
        case .reference: "reference"
        case .prepare: "prepare"
        case .tryTrouble: "forecast"
        }
    }

    /// True for work that the server begins by itself and that leaves the bars alone, so that people may ask for
    /// something else meanwhile.
    var isInBackground: Bool {
        switch self {
        case .listen, .tryTrouble: true
        default: false
        }
    }

    /// True for work that is interrupted as soon as people ask for something, and begins again afterwards.
    var givesWay: Bool { if case .tryTrouble = self { true } else { false } }
}

/// A task of a piece that was accepted and has not ended. It is stored with the piece: after a restart it begins again.
package struct PendingTask: Codable, Equatable, Sendable {
    package var id: String
    package var task: PreparationTask
}

/// The state of a task, as pages get it.
package struct PreparationJob: Encodable, Equatable, Sendable {
    package enum State: String, Encodable, Sendable { case waiting, running, done, failed, interrupted }

    package var id: String
    package var piece: String
    package var kind: String
    package var stage: String
    /// The finished share of the stage; nil if unknown.
    package var share: Double?
    package var state: State
    /// The reason of a failure, or the result in words; nil while it runs.
    package var sentence: String?
    /// The kind of the failure, if a page offers steps of its own for it.
    package var failureKind: PreparationFailureKind?

    private enum CodingKeys: String, CodingKey {
        case id, piece, kind, stage, share, state, sentence
        case failureKind = "code"
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(piece, forKey: .piece)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(stage, forKey: .stage)
        try fields.encode(share, forKey: .share)
        try fields.encode(state, forKey: .state)
        try fields.encode(sentence, forKey: .sentence)
        try fields.encode(failureKind, forKey: .failureKind)
    }
}
