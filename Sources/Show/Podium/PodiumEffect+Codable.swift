import Concert
import Floor
import Score

/// An effect is encoded as a JSON object with a field named after the case, as an event is.
extension PodiumEffect: Codable {
    private enum CodingKeys: CodingKey {
        case show, endLive, fire, timing, standby, anchorFollower, beginFollower, beginMusic, announce,
            withdrawMessage
        case changeProgramme, audience, panic, askForHelp, helpOver, holder, epoch, refused, notice, sentence,
            title, floor
    }

    private struct FollowerOrder: Codable {
        var piece: Int
        var at: ScorePosition?
        var order: UInt32
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .showPosition(let position): try fields.encode(position, forKey: .show)
        case .endLivePosition: try fields.encode(true, forKey: .endLive)
        case .fireCue(let cue, let timing):
            try fields.encode(cue, forKey: .fire)
            try fields.encode(timing, forKey: .timing)
        case .standbyChanged(let id): try fields.encode(id, forKey: .standby)
        case .anchorFollower(let piece, let at, let order):
            try fields.encode(FollowerOrder(piece: piece, at: at, order: order), forKey: .anchorFollower)
        case .makeFollowerWait(let piece, let at, let order):
            try fields.encode(FollowerOrder(piece: piece, at: at, order: order), forKey: .beginFollower)
        case .beginMusic(let piece, let at, let order):
            try fields.encode(FollowerOrder(piece: piece, at: at, order: order), forKey: .beginMusic)
        case .changeFollowerProgramme(let order): try fields.encode(order, forKey: .changeProgramme)
        case .showMessage(let message): try fields.encode(message, forKey: .announce)
        case .withdrawMessage: try fields.encode(true, forKey: .withdrawMessage)
        case .audienceViewChanged(let view): try fields.encode(view, forKey: .audience)
        case .titleChanged(let title): try fields.encode(title, forKey: .title)
        case .panicStep(let step): try fields.encode(step, forKey: .panic)
        case .askForHelp(let candidates): try fields.encode(candidates, forKey: .askForHelp)
        case .helpOver: try fields.encode(true, forKey: .helpOver)
        case .holderChanged(let holder, let epoch):
            try fields.encode(holder, forKey: .holder)
            try fields.encode(epoch, forKey: .epoch)
        case .refused(let refusal): try fields.encode(refusal, forKey: .refused)
        case .showNotice(let id, let sentence):
            try fields.encode(id, forKey: .notice)
            try fields.encode(sentence, forKey: .sentence)
        case .floor(let effect): try fields.encode(effect, forKey: .floor)
        }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = fields.allKeys.first(where: { !Self.companionFieldNames.contains($0.stringValue) })
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no effect this version knows"))
        }
        switch key {
        case .show: self = .showPosition(try fields.decode(AudiencePosition.self, forKey: .show))
        case .endLive: self = .endLivePosition
        case .fire:
            self = .fireCue(
                try fields.decode(Cue.self, forKey: .fire),
                try fields.decode(CueFiringDetails.self, forKey: .timing)
            )
        case .standby: self = .standbyChanged(try fields.decodeIfPresent(String.self, forKey: .standby))
        case .anchorFollower:
            let order = try fields.decode(FollowerOrder.self, forKey: .anchorFollower)
            guard let at = order.at else {
                throw DecodingError.dataCorruptedError(
                    forKey: .anchorFollower, in: fields, debugDescription: "an anchor needs a place")
            }
            self = .anchorFollower(piece: order.piece, at: at, order: order.order)
        case .beginFollower:
            let order = try fields.decode(FollowerOrder.self, forKey: .beginFollower)
            self = .makeFollowerWait(piece: order.piece, at: order.at, order: order.order)
        case .beginMusic:
            let order = try fields.decode(FollowerOrder.self, forKey: .beginMusic)
            guard let at = order.at else {
                throw DecodingError.dataCorruptedError(
                    forKey: .beginMusic, in: fields, debugDescription: "a beginning needs a place")
            }
            self = .beginMusic(piece: order.piece, at: at, order: order.order)
        case .changeProgramme:
            self = .changeFollowerProgramme(order: try fields.decode(UInt32.self, forKey: .changeProgramme))
        case .announce: self = .showMessage(try fields.decode(PushMessage.self, forKey: .announce))
        case .withdrawMessage: self = .withdrawMessage
        case .audience: self = .audienceViewChanged(try fields.decode(AudienceView.self, forKey: .audience))
        case .title: self = .titleChanged(try fields.decode(ShownTitle.self, forKey: .title))
        case .panic: self = .panicStep(try fields.decode(PanicStep.self, forKey: .panic))
        case .askForHelp: self = .askForHelp(try fields.decode([CandidateMeasure].self, forKey: .askForHelp))
        case .helpOver: self = .helpOver
        case .holder, .epoch, .timing, .sentence:
            self = .holderChanged(
                try fields.decode(BatonHolder.self, forKey: .holder),
                try fields.decode(BatonEpoch.self, forKey: .epoch)
            )
        case .refused: self = .refused(try fields.decode(CommandRefusal.self, forKey: .refused))
        case .notice:
            self = .showNotice(
                id: try fields.decode(String.self, forKey: .notice),
                sentence: try fields.decode(String.self, forKey: .sentence))
        case .floor: self = .floor(try fields.decode(FloorEffect.self, forKey: .floor))
        }
    }

    /// The JSON fields that appear only together with the field named after the case.
    private static let companionFieldNames = ["timing", "epoch", "sentence"]
}
