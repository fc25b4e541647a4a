import FuzzDriver
import ScoreFiles

/// Files of measure times in all formats; the first byte chooses one, so that none has to be guessed.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let formats = MeasureTimesFormat.allCases
    let choice = Int(bytes[0]) % (formats.count + 1)
    _ = try? MeasureTimesFileReader.parse(
        Array(bytes.dropFirst()), path: "times",
        format: choice == formats.count ? .automatic : .specified(formats[choice]))
    return 0
}

@_cdecl("times_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
