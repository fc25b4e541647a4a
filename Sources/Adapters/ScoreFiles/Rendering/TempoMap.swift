/// The tempo changes of a MIDI sequence, in order. Before the first change, the tempo is 120 quarter notes a minute.
struct TempoMap {
    private var tempoChangeTicks: [Int] = [0]
    private var secondsPerTickAfterChange: [Double]
    /// The time from tick 0 to each tempo change, in seconds.
    private var secondsBeforeChange: [Double] = [0]

    init(_ sequence: MIDISequence) {
        let scale = 1 / (1_000_000 * Double(sequence.ticksPerQuarter))
        secondsPerTickAfterChange = [500_000 * scale]
        let marks = sequence.tracks.flatMap(\.events).enumerated().compactMap { index, event in
            if case .tempoChange(let microseconds) = event.message {
                (tick: event.tick, index: index, pace: Double(microseconds) * scale)
            } else {
                nil
            }
        }
        for mark in marks.sorted(by: { ($0.tick, $0.index) < ($1.tick, $1.index) }) {
            let last = tempoChangeTicks.count - 1
            if tempoChangeTicks[last] == mark.tick {
                secondsPerTickAfterChange[last] = mark.pace
            } else {
                secondsBeforeChange.append(
                    secondsBeforeChange[last] + Double(mark.tick - tempoChangeTicks[last])
                        * secondsPerTickAfterChange[last])
                tempoChangeTicks.append(mark.tick)
                secondsPerTickAfterChange.append(mark.pace)
            }
        }
    }

    func durationSeconds(from: Int, to: Int) -> Double {
        secondsSinceStart(at: to) - secondsSinceStart(at: from)
    }

    /// The ticks strictly between two ticks at which the tempo changes.
    func ticksOfTempoChanges(after: Int, before: Int) -> [Int] {
        var result: [Int] = []
        var index = indexOfTempoChange(at: after) + 1
        while index < tempoChangeTicks.count, tempoChangeTicks[index] < before {
            result.append(tempoChangeTicks[index])
            index += 1
        }
        return result
    }

    private func secondsSinceStart(at tick: Int) -> Double {
        let index = indexOfTempoChange(at: tick)
        return secondsBeforeChange[index] + Double(tick - tempoChangeTicks[index])
            * secondsPerTickAfterChange[index]
    }

    private func indexOfTempoChange(at tick: Int) -> Int {
        var low = 0
        var high = tempoChangeTicks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if tempoChangeTicks[middle] <= tick { low = middle } else { high = middle }
        }
        return low
    }
}
