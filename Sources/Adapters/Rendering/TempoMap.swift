/// The tempo changes of a MIDI sequence, in order. Before the first change, the tempo is 120 quarter notes a minute.
struct TempoMap {
    private var ticks: [Int] = [0]
    private var secondsPerTick: [Double]
    /// The time from tick 0 to each tempo change, in seconds.
    private var elapsed: [Double] = [0]

    init(_ sequence: MIDISequence) {
        let scale = 1 / (1_000_000 * Double(sequence.ticksPerQuarter))
        secondsPerTick = [500_000 * scale]
        let marks = sequence.tracks.flatMap(\.events).enumerated().compactMap { index, event in
            if case .tempo(let microseconds) = event.message {
                (tick: event.tick, index: index, pace: Double(microseconds) * scale)
            } else {
                nil
            }
        }
        for mark in marks.sorted(by: { ($0.tick, $0.index) < ($1.tick, $1.index) }) {
            let last = ticks.count - 1
            if ticks[last] == mark.tick {
                secondsPerTick[last] = mark.pace
            } else {
                elapsed.append(elapsed[last] + Double(mark.tick - ticks[last]) * secondsPerTick[last])
                ticks.append(mark.tick)
                secondsPerTick.append(mark.pace)
            }
        }
    }

    func seconds(from: Int, to: Int) -> Double { seconds(at: to) - seconds(at: from) }

    /// The ticks strictly between two ticks at which the tempo changes.
    func tempoChanges(after: Int, before: Int) -> [Int] {
        var result: [Int] = []
        var index = indexOfMark(at: after) + 1
        while index < ticks.count, ticks[index] < before {
            result.append(ticks[index])
            index += 1
        }
        return result
    }

    private func seconds(at tick: Int) -> Double {
        let index = indexOfMark(at: tick)
        return elapsed[index] + Double(tick - ticks[index]) * secondsPerTick[index]
    }

    private func indexOfMark(at tick: Int) -> Int {
        var low = 0
        var high = ticks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if ticks[middle] <= tick { low = middle } else { high = middle }
        }
        return low
    }
}
