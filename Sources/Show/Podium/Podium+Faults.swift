/// Counts technical faults and shows them.
extension Podium {
    /// The largest number of different faults that are kept.
    static let mostFaults = 64

    mutating func recordFault(_ fault: TechnicalFault, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        state.addFailedCue(fault: fault.id)
        guard let index = state.faults.firstIndex(where: { $0.id == fault.id }) else {
            if state.faults.count >= Self.mostFaults {
                let over = state.faults.firstIndex(where: \.isOver) ?? 0
                state.faults.remove(at: over)
            }
            state.faults.append(
                TechnicalFaultRecord(
                    id: fault.id, sentence: fault.sentence, since: now, count: 1, isOver: false))
            effects.append(.showNotice(id: "fault", sentence: fault.sentence))
            return
        }
        let isNews = state.faults[index].isOver || state.faults[index].sentence != fault.sentence
        if state.faults[index].isOver { state.faults[index].since = now }
        if state.faults[index].count < .max { state.faults[index].count += 1 }
        state.faults[index].sentence = fault.sentence
        state.faults[index].isOver = false
        if isNews { effects.append(.showNotice(id: "fault", sentence: fault.sentence)) }
    }

    mutating func endFault(id: String, _ effects: inout [PodiumEffect]) {
        state.removeFailedCue(fault: id)
        guard let index = state.faults.firstIndex(where: { $0.id == id && !$0.isOver }) else { return }
        state.faults[index].isOver = true
        effects.append(.showNotice(id: "fault-over", sentence: "Over: " + state.faults[index].sentence))
    }
}
