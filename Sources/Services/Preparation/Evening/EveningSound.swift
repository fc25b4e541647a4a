import Basics
import Hosting
import Listening
import Sound

/// The recorded sound of an evening on one time axis, in seconds: the parts of the recording, with gaps between them.
package struct EveningSound: Equatable, Sendable {
    package typealias Part = RecordedEvening.Part

    /// The name of the recording's folder.
    package let name: String
    /// The parts that have sound, in the order of time.
    package let parts: [Part]
    /// True if the axis is the time of the show, false if it begins with the first part.
    package let isShowTime: Bool
    private let starts: [Double]

    /// - Parameter parts: those whose file is there.
    package init(name: String, parts: [Part]) {
        self.name = name
        let sounding = parts.filter { $0.seconds > 0 }
        let byShowTime = !sounding.isEmpty && sounding.allSatisfy { $0.showTime != nil }
        let first = sounding.map(\.startedAt).min() ?? 0
        func start(_ part: Part) -> Double {
            Double(byShowTime ? part.showTime ?? 0 : part.startedAt - first) / 1_000
        }
        self.parts = sounding.sorted { start($0) < start($1) }
        isShowTime = byShowTime
        starts = self.parts.map(start)
    }

    /// The times for which there is sound, in order. Parts that overlap are cut to the later one's beginning.
    package var stretches: [Range<Double>] {
        parts.indices.map { index in
            let end = starts[index] + parts[index].seconds
            let next = index + 1 < starts.count ? starts[index + 1] : .infinity
            return starts[index]..<max(min(end, next), starts[index])
        }.filter { !$0.isEmpty }
    }

    /// The seconds from the first sound to the last, gaps included.
    var length: Double { (stretches.last?.upperBound ?? 0) - firstSecond }

    /// The time of the first sound on the axis.
    var firstSecond: Double { stretches.first?.lowerBound ?? 0 }

    /// The gaps within some time, in order; shorter ones than a twentieth of a second are rounding.
    package func gaps(within time: Range<Double>) -> [Range<Double>] {
        zip(stretches, stretches.dropFirst()).compactMap { before, after in
            guard after.lowerBound - before.upperBound >= 0.05 else { return nil }
            let gap = (before.upperBound..<after.lowerBound).clamped(to: time)
            return gap.isEmpty ? nil : gap
        }
    }

    /// The seconds since the first sound at a moment of a part that is still written, so that its file may end before
    /// it; nil without this part.
    func secondsSinceFirstSound(inPart number: Int, at seconds: Double) -> Double? {
        parts.firstIndex { $0.number == number }.map { starts[$0] - firstSecond + seconds }
    }

    /// The file and the place in it where a moment is heard; in a gap the end of the sound before.
    package func place(of seconds: Double) -> RecordingPlace? {
        guard let index = starts.lastIndex(where: { $0 <= seconds }) ?? parts.indices.first else {
            return nil
        }
        let inPart = min(max(seconds - starts[index], 0), parts[index].seconds)
        return RecordingPlace(part: parts[index].number, seconds: (inPart * 1_000).rounded() / 1_000)
    }

    /// Writes the sound of some ranges one after the other into a FLAC file, with silence in the gaps.
    ///
    /// At each joint the sound fades in within five milliseconds, so that it does not click.
    /// - Throws: the sentence of a file that cannot be read or written.
    package func write(_ ranges: [Range<Double>], to path: String) throws {
        guard let first = parts.first else { return }
        let rate = try SoundFileReader(path: first.path).sampleRate
        let writer = try SoundFileWriter(path: path, rate: rate, depth: .integer24)
        for range in ranges { try append(range, to: writer, rate: rate) }
        try writer.close()
    }

    private func append(
        _ range: Range<Double>, to writer: SoundFileWriter, rate: SampleRate
    ) throws(SoundFileError) {
        func frame(_ seconds: Double) -> Int { Int((seconds * rate.hertz).rounded()) }
        let end = frame(range.upperBound)
        var cursor = frame(range.lowerBound)
        let stretches = stretches
        for (part, start) in zip(parts, starts) {
            guard let stretch = stretches.first(where: { $0.lowerBound == start }) else { continue }
            let stop = min(frame(stretch.upperBound), end)
            guard stop > cursor, frame(start) < end else { continue }
            let reader = try SoundFileReader(path: part.path)
            // A part with another sample rate, after a change of the device, is left silent.
            guard reader.sampleRate == rate else { continue }
            if frame(start) > cursor {
                try Self.writeSilence(frame(start) - cursor, to: writer)
                cursor = frame(start)
            }
            try reader.seek(toFrame: cursor - frame(start))
            cursor += try Self.copy(stop - cursor, from: reader, to: writer, fadeFrames: frame(0.005))
        }
        if cursor < end { try Self.writeSilence(end - cursor, to: writer) }
    }

    /// - Returns: the number of copied frames.
    private static func copy(
        _ count: Int, from reader: SoundFileReader, to writer: SoundFileWriter, fadeFrames: Int
    ) throws(SoundFileError) -> Int {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8_192)
        defer { block.deallocate() }
        var copied = 0
        while copied < count {
            let wanted = UnsafeMutableBufferPointer(rebasing: block[..<min(block.count, count - copied)])
            let read = try reader.read(into: wanted)
            guard read > 0 else { break }
            for index in 0..<min(read, max(fadeFrames - copied, 0)) {
                wanted[index] *= Float(copied + index) / Float(fadeFrames)
            }
            try writer.write(UnsafeBufferPointer(rebasing: wanted[..<read]))
            copied += read
        }
        return copied
    }

    private static func writeSilence(_ count: Int, to writer: SoundFileWriter) throws(SoundFileError) {
        var left = count
        while left > 0 {
            let step = min(left, 65_536)
            try writer.write([Float](repeating: 0, count: step))
            left -= step
        }
    }
}
