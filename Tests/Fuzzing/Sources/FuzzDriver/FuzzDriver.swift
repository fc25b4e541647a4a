public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
    _ oneInput: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// Runs libFuzzer. The package manager makes `NAME_main` the program's start, so that libFuzzer's own `main` is left
/// out and each fuzzer begins here.
public func runFuzzer(
    _ count: CInt, _ arguments: Arguments, _ oneInput: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, oneInput)
}
