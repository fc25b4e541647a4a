import Basics
import Foundation
import Listening
import Sound

/// Measures a recording and writes its listening copy and the pictures of its sound.
struct ListeningCopyMaker {
    let path: String
    /// The recording's name for people.
    let name: String
    /// The recording's folder.
    let folder: String

    /// - Returns: sentences about what is not good about the recording.
    /// - Throws: ``PreparationError`` if there is nothing to hear, or if the file is cut short.
    func make(observer: any PreparationObserver) throws -> [String] {
        observer.beginStage("Checking \(name)")
        let survey = try RecordingQuality(path: path, progress: observer.showProgress)
        var collector = RecordingFindingCollector(console: observer)
        collector.addSurveyFindings(survey, channel: .meanOfAllChannels, file: nil)
        try collector.throwCollectedErrors()
        observer.beginStage("Drawing \(name)")
        try writeCopyAndPictures(observer)
        return collector.sentences
    }

    private func writeCopyAndPictures(_ observer: any PreparationObserver) throws(SoundFileError) {
        let reader = try SoundFileReader(path: path)
        let unfinished = folder + "/unfinished.wav"
        let writer = try SoundFileWriter(
            path: unfinished, rate: SampleRate(hertz: Double(SoundPictures.hertz)))
        var resampler = Resampler(from: Int(reader.sampleRate.hertz), to: SoundPictures.hertz)
        var (peaks, spectrum) = (PeakColumns(), SpectrumColumns())
        var block = [Float](repeating: 0, count: 16_384)
        var output: [Float] = []
        func take() throws(SoundFileError) {
            try writer.write(output)
            peaks.add(output[...])
            spectrum.add(output[...])
            output.removeAll(keepingCapacity: true)
        }
        while true {
            let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(SoundFileError) in
                try reader.read(into: buffer)
            }
            guard count > 0 else { break }
            block.withUnsafeBufferPointer {
                resampler.process(UnsafeBufferPointer(rebasing: $0[..<count]), into: &output)
            }
            try take()
            observer.showProgress(Double(reader.framesRead) / Double(max(reader.frameCount, 1)))
        }
        resampler.finish(into: &output)
        try take()
        peaks.finish()
        spectrum.finish()
        try writer.close()
        try write(
            peaks.bytes, SoundPictures.peaksFile, SoundPictures.coarserPeaks, SoundPictures.peakColumnBytes)
        try write(
            spectrum.bytes, SoundPictures.spectrumFile, SoundPictures.coarserSpectrum, SoundPictures.bandCount
        )
        // The copy comes last: a folder that has it has the pictures too.
        guard rename(unfinished, folder + "/" + SoundPictures.copyFile) == 0 else {
            throw .notWritten(path: unfinished, reason: String(cString: strerror(errno)))
        }
    }

    /// Writes all levels of a picture: at least seven, and down to a level of at most 16 columns.
    private func write(
        _ finest: [UInt8], _ name: (Int) -> String, _ coarser: ([UInt8]) -> [UInt8], _ columnBytes: Int
    ) throws(SoundFileError) {
        var (columns, level) = (finest, 0)
        while true {
            let path = folder + "/" + name(level)
            do { try Data(columns).write(to: URL(fileURLWithPath: path)) } catch {
                throw .notWritten(path: path, reason: error.localizedDescription)
            }
            guard columns.count > 16 * columnBytes || level < SoundPictures.leastLevels - 1 else { return }
            columns = coarser(columns)
            level += 1
        }
    }
}
