/// An act is encoded as a JSON field named after it.
extension RoomAct: Codable {
    private enum ActKey: String, CodingKey, CaseIterable {
        case publish, rename, join, role, expel, readmit, handOver, begin, endSession, enter, leave,
            openLayer, turn
        case pinpoint, endPinpoint, place, edit, erase, restore
        case addScore, dropScore, moveScore, attacca, openScore, evening
    }
    private enum RoleKeys: CodingKey { case user, role }
    private enum BeginKeys: CodingKey { case session, layer, performances }
    private enum EnterKeys: CodingKey { case participation, part, score }
    private enum OpenKeys: CodingKey { case entry }

    /// Decodes an act.
    /// - Throws: ``RehearsalFault`` unless there is exactly one act, and one that this version knows.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ActKey.self)
        guard let act = fields.allKeys.first, fields.allKeys.count == 1 else {
            throw RehearsalFault.unknownAct
        }
        switch act {
        case .publish: self = .setRoomPublished(try fields.decode(Bool.self, forKey: act))
        case .rename: self = .renameRoom(try fields.decode(String.self, forKey: act))
        case .join: self = .joinRoom(try fields.decode(Membership.ID.self, forKey: act))
        case .role:
            let role = try fields.nestedContainer(keyedBy: RoleKeys.self, forKey: act)
            self = .setRole(
                try role.decode(User.ID.self, forKey: .user), try role.decode(MemberRole.self, forKey: .role))
        case .expel: self = .expelMember(try fields.decode(User.ID.self, forKey: act))
        case .readmit: self = .readmitMember(try fields.decode(User.ID.self, forKey: act))
        case .handOver: self = .handOverRoom(try fields.decode(User.ID.self, forKey: act))
        case .begin:
            let begin = try fields.nestedContainer(keyedBy: BeginKeys.self, forKey: act)
            self = .beginSession(
                try begin.decode(RehearsalSession.ID.self, forKey: .session),
                publicLayer: try begin.decode(RemarkLayer.ID.self, forKey: .layer),
                performances: try begin.decodeIfPresent([PerformedPassages?].self, forKey: .performances)
                    ?? [])
        case .endSession: self = .endSession
        case .enter:
            let enter = try fields.nestedContainer(keyedBy: EnterKeys.self, forKey: act)
            self = .enterSession(
                try enter.decode(SessionParticipation.ID.self, forKey: .participation),
                part: try enter.decode(Int.self, forKey: .part),
                score: try enter.decodeIfPresent(Score.ID.self, forKey: .score))
        case .leave: self = .leaveSession
        case .openLayer: self = .openPrivateLayer(try fields.decode(RemarkLayer.ID.self, forKey: act))
        case .turn: self = .turnPagesForAll(try fields.decode(PageTurnForAll.self, forKey: act))
        case .pinpoint: self = .pinpoint(try fields.decode(Pinpoint.self, forKey: act))
        case .endPinpoint: self = .endPinpoint
        case .place: self = .placeRemark(try fields.decode(Remark.self, forKey: act))
        case .edit: self = .editRemark(try fields.decode(RemarkEdit.self, forKey: act))
        case .erase: self = .eraseRemark(try fields.decode(Remark.ID.self, forKey: act))
        case .restore: self = .restoreRemark(try fields.decode(Remark.ID.self, forKey: act))
        case .addScore: self = .addScore(try fields.decode(ProgrammeAddition.self, forKey: act))
        case .dropScore: self = .dropScore(try fields.decode(ProgrammeEntry.ID.self, forKey: act))
        case .moveScore: self = .moveScore(try fields.decode(ProgrammeMove.self, forKey: act))
        case .attacca: self = .setAttacca(try fields.decode(AttaccaChange.self, forKey: act))
        case .openScore:
            let opening = try fields.nestedContainer(keyedBy: OpenKeys.self, forKey: act)
            self = .openScore(try opening.decode(ProgrammeEntry.ID.self, forKey: .entry))
        case .evening:
            var evening = try fields.decode(EveningScores.self, forKey: act)
            evening.players = nil
            self = .takeEvening(evening)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ActKey.self)
        switch self {
        case .setRoomPublished(let isPublished): try fields.encode(isPublished, forKey: .publish)
        case .renameRoom(let name): try fields.encode(name, forKey: .rename)
        case .joinRoom(let id): try fields.encode(id, forKey: .join)
        case .setRole(let user, let given):
            var role = fields.nestedContainer(keyedBy: RoleKeys.self, forKey: .role)
            try role.encode(user, forKey: .user)
            try role.encode(given, forKey: .role)
        case .expelMember(let user): try fields.encode(user, forKey: .expel)
        case .readmitMember(let user): try fields.encode(user, forKey: .readmit)
        case .handOverRoom(let user): try fields.encode(user, forKey: .handOver)
        case .beginSession(let session, let layer, let performances):
            var begin = fields.nestedContainer(keyedBy: BeginKeys.self, forKey: .begin)
            try begin.encode(session, forKey: .session)
            try begin.encode(layer, forKey: .layer)
            if !performances.isEmpty { try begin.encode(performances, forKey: .performances) }
        case .endSession: try fields.encode(true, forKey: .endSession)
        case .enterSession(let participation, let part, let score):
            var enter = fields.nestedContainer(keyedBy: EnterKeys.self, forKey: .enter)
            try enter.encode(participation, forKey: .participation)
            try enter.encode(part, forKey: .part)
            try enter.encodeIfPresent(score, forKey: .score)
        case .leaveSession: try fields.encode(true, forKey: .leave)
        case .openPrivateLayer(let id): try fields.encode(id, forKey: .openLayer)
        case .turnPagesForAll(let turn): try fields.encode(turn, forKey: .turn)
        case .pinpoint(let pinpoint): try fields.encode(pinpoint, forKey: .pinpoint)
        case .endPinpoint: try fields.encode(true, forKey: .endPinpoint)
        case .placeRemark(let remark): try fields.encode(remark, forKey: .place)
        case .editRemark(let edit): try fields.encode(edit, forKey: .edit)
        case .eraseRemark(let id): try fields.encode(id, forKey: .erase)
        case .restoreRemark(let id): try fields.encode(id, forKey: .restore)
        case .addScore(let addition): try fields.encode(addition, forKey: .addScore)
        case .dropScore(let id): try fields.encode(id, forKey: .dropScore)
        case .moveScore(let move): try fields.encode(move, forKey: .moveScore)
        case .setAttacca(let change): try fields.encode(change, forKey: .attacca)
        case .openScore(let id, _):
            var opening = fields.nestedContainer(keyedBy: OpenKeys.self, forKey: .openScore)
            try opening.encode(id, forKey: .entry)
        case .takeEvening(let evening): try fields.encode(evening, forKey: .evening)
        }
    }
}

/// An accepted act is encoded as a JSON field named after it.
extension AcceptedAct: Codable {
    private enum ActKey: String, CodingKey, CaseIterable {
        case publish, rename, joined, role, expel, readmit, handOver, begin, endSession, entered, leave,
            openLayer
        case turn, pinpoint, endPinpoint, place, edit, erase
        case addScore, dropScore, moveScore, attacca, openScore, evening
    }
    private enum RoleKeys: CodingKey { case user, role }
    private enum BeginKeys: CodingKey { case session, layer }

    /// Decodes an accepted act.
    /// - Throws: ``RehearsalFault`` unless there is exactly one act, and one that this version knows.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ActKey.self)
        guard let act = fields.allKeys.first, fields.allKeys.count == 1 else {
            throw RehearsalFault.unknownAct
        }
        switch act {
        case .publish: self = .setRoomPublished(try fields.decode(Bool.self, forKey: act))
        case .rename: self = .renameRoom(try fields.decode(String.self, forKey: act))
        case .joined: self = .joinedRoom(try fields.decode(Membership.self, forKey: act))
        case .role:
            let role = try fields.nestedContainer(keyedBy: RoleKeys.self, forKey: act)
            self = .setRole(
                try role.decode(User.ID.self, forKey: .user), try role.decode(MemberRole.self, forKey: .role))
        case .expel: self = .expelMember(try fields.decode(User.ID.self, forKey: act))
        case .readmit: self = .readmitMember(try fields.decode(User.ID.self, forKey: act))
        case .handOver: self = .handOverRoom(try fields.decode(User.ID.self, forKey: act))
        case .begin:
            let begin = try fields.nestedContainer(keyedBy: BeginKeys.self, forKey: act)
            self = .beginSession(
                try begin.decode(RehearsalSession.self, forKey: .session),
                publicLayer: try begin.decode(RemarkLayer.self, forKey: .layer))
        case .endSession: self = .endSession
        case .entered: self = .enteredSession(try fields.decode(SessionParticipation.self, forKey: act))
        case .leave: self = .leaveSession(try fields.decode(User.ID.self, forKey: act))
        case .openLayer: self = .openPrivateLayer(try fields.decode(RemarkLayer.self, forKey: act))
        case .turn: self = .turnPagesForAll(try fields.decode(PageTurnForAll.self, forKey: act))
        case .pinpoint: self = .pinpoint(try fields.decode(Pinpoint.self, forKey: act))
        case .endPinpoint: self = .endPinpoint
        case .place: self = .placeRemark(try fields.decode(Remark.self, forKey: act))
        case .edit: self = .editRemark(try fields.decode(RemarkEdit.self, forKey: act))
        case .erase: self = .eraseRemark(try fields.decode(Remark.ID.self, forKey: act))
        case .addScore: self = .addScore(try fields.decode(ProgrammeAddition.self, forKey: act))
        case .dropScore: self = .dropScore(try fields.decode(ProgrammeEntry.ID.self, forKey: act))
        case .moveScore: self = .moveScore(try fields.decode(ProgrammeMove.self, forKey: act))
        case .attacca: self = .setAttacca(try fields.decode(AttaccaChange.self, forKey: act))
        case .openScore: self = .openScore(try fields.decode(OpenedScore.self, forKey: act))
        case .evening: self = .takeEvening(try fields.decode(EveningScores.self, forKey: act))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ActKey.self)
        switch self {
        case .setRoomPublished(let isPublished): try fields.encode(isPublished, forKey: .publish)
        case .renameRoom(let name): try fields.encode(name, forKey: .rename)
        case .joinedRoom(let membership): try fields.encode(membership, forKey: .joined)
        case .setRole(let user, let given):
            var role = fields.nestedContainer(keyedBy: RoleKeys.self, forKey: .role)
            try role.encode(user, forKey: .user)
            try role.encode(given, forKey: .role)
        case .expelMember(let user): try fields.encode(user, forKey: .expel)
        case .readmitMember(let user): try fields.encode(user, forKey: .readmit)
        case .handOverRoom(let user): try fields.encode(user, forKey: .handOver)
        case .beginSession(let session, let layer):
            var begin = fields.nestedContainer(keyedBy: BeginKeys.self, forKey: .begin)
            try begin.encode(session, forKey: .session)
            try begin.encode(layer, forKey: .layer)
        case .endSession: try fields.encode(true, forKey: .endSession)
        case .enteredSession(let participation): try fields.encode(participation, forKey: .entered)
        case .leaveSession(let user): try fields.encode(user, forKey: .leave)
        case .openPrivateLayer(let layer): try fields.encode(layer, forKey: .openLayer)
        case .turnPagesForAll(let turn): try fields.encode(turn, forKey: .turn)
        case .pinpoint(let pinpoint): try fields.encode(pinpoint, forKey: .pinpoint)
        case .endPinpoint: try fields.encode(true, forKey: .endPinpoint)
        case .placeRemark(let remark): try fields.encode(remark, forKey: .place)
        case .editRemark(let edit): try fields.encode(edit, forKey: .edit)
        case .eraseRemark(let id): try fields.encode(id, forKey: .erase)
        case .addScore(let addition): try fields.encode(addition, forKey: .addScore)
        case .dropScore(let id): try fields.encode(id, forKey: .dropScore)
        case .moveScore(let move): try fields.encode(move, forKey: .moveScore)
        case .setAttacca(let change): try fields.encode(change, forKey: .attacca)
        case .openScore(let opened): try fields.encode(opened, forKey: .openScore)
        case .takeEvening(let evening): try fields.encode(evening, forKey: .evening)
        }
    }
}
