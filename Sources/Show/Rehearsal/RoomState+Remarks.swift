/// Decides on acts that concern layers and remarks.
extension RoomState {
    /// Decides on an act that concerns layers or remarks.
    /// - Returns: nil if the act concerns something else; a nested nil if it changes nothing.
    func decideRemarkAct(
        _ act: RoomAct, by member: ActingUser
    ) throws(RoomRefusal) -> (AcceptedAct, isOwn: Bool)?? {
        switch act {
        case .openPrivateLayer(let id):
            guard let session = content.session, session.isRunning else { throw .noSession }
            let hasOne = content.ownLayers.elements.contains {
                $0.session == session.id && $0.user == member.user
            }
            if hasOne { return .some(nil) }
            guard content.layer(id) == nil else { throw .usedID }
            try checkLayerLimit()
            return (.openPrivateLayer(RemarkLayer(id: id, session: session.id, user: member.user)), true)
        case .placeRemark(let remark): return try placeRemark(remark, by: member)
        case .editRemark(let edit):
            let remark = try requireOwnRemark(edit.remark, of: member)
            if let page = edit.page {
                try checkPageExists(page: page, ofPart: remark.part, of: remark.score)
            }
            return (.editRemark(edit), isOnPrivateLayer(remark))
        case .eraseRemark(let id):
            let remark = try requireOwnRemark(id, of: member)
            return (.eraseRemark(id), isOnPrivateLayer(remark))
        case .restoreRemark(let id):
            if let standing = content.remark(id), standing.author == member.user { return .some(nil) }
            guard let remark = erased[id], remark.author == member.user else { throw .notErased }
            try checkRemarkLimits(for: member)
            return (.placeRemark(remark), isOnPrivateLayer(remark))
        default: return nil
        }
    }

    private func placeRemark(_ remark: Remark, by member: ActingUser) throws(RoomRefusal) -> (
        AcceptedAct, isOwn: Bool
    )? {
        guard remark.author == member.user else { throw .notYourRemark }
        guard let layer = content.layer(remark.layer), layer.user == nil || layer.user == member.user else {
            // The refusal does not reveal whether somebody else's layer exists.
            throw .noLayer
        }
        guard member.mayOpen(remark.score ?? content.room.score) else { throw .scoreNotGiven }
        try checkPageExists(page: remark.page, ofPart: remark.part, of: remark.score)
        if let old = content.remark(remark.id) ?? erased[remark.id] {
            // This is a copy of the original event, arriving after the event's id was forgotten.
            guard old.author == member.user else { throw .usedID }
            return nil
        }
        try checkRemarkLimits(for: member)
        var placed = remark
        placed.score = named(remark.score)
        return (.placeRemark(placed), !layer.isPublic)
    }

    private func requireOwnRemark(_ id: Remark.ID, of member: ActingUser) throws(RoomRefusal) -> Remark {
        guard let remark = content.remark(id) else { throw .noRemark }
        guard remark.author == member.user else {
            throw isOnPrivateLayer(remark) ? .noRemark : .notYourRemark
        }
        return remark
    }

    private func checkRemarkLimits(for member: ActingUser) throws(RoomRefusal) {
        guard content.remarks.count + content.ownRemarks.count < RoomLimits.mostRemarks else {
            throw .full("remarks", most: RoomLimits.mostRemarks)
        }
        guard remarkCounts[member.user]?.count ?? 0 < RoomLimits.mostRemarksPerAuthor else {
            throw .full("remarks of yours", most: RoomLimits.mostRemarksPerAuthor)
        }
    }

    private func isOnPrivateLayer(_ remark: Remark) -> Bool { content.ownLayers.contains(remark.layer) }
}
