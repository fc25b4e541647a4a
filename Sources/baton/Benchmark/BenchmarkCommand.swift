import ArgumentParser
import Evaluation

/// `baton benchmark` measures the cost of following on this machine.
struct BenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmark",
        abstract: "Measures what following costs on this machine: time, memory, speed.",
        discussion: """
            Plays synthetic music to the follower, at once and for some seconds in real time, and counts the \
            time that the thread spends on a core. It needs no recordings.
            Exit status: 0 the budget is kept, 1 it is broken or something failed, 64 the command makes no \
            sense.
            """)

    @Option(
        help: ArgumentHelp(
            "Lengths of the reference in minutes, each 1 to 180, with commas between them.", valueName: "list"
        ),
        transform: parseMinutesList)
    var minutes = [10.0, 90.0]

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Flag(help: "Follow one minute instead of ten: a first look; percentiles of so few hops say little.")
    var quick = false

    @Option(
        help: ArgumentHelp("Measure only the memory of one reference, in this process.", visibility: .hidden))
    var memoryOf: Double?

    func run() async throws {
        if let memoryOf {
            return try await printingErrors(as: "benchmark") {
                print(try FollowerMemoryCosts(minutes: memoryOf).json)
            }
        }
        var isKept = true
        try await printingErrors(as: "benchmark") {
            let costs = try measure()
            print(json ? try costs.json : costs.table)
            isKept = costs.budgetChecks.allSatisfy(\.isKept)
        }
        if !isKept { throw ExitCode.failure }
    }

    private func measure() throws -> BenchmarkResults {
        // Memory is measured first, while this process is small; each measurement runs in a process of its own.
        let memory = try minutes.map { try FollowerMemoryCosts.measureInSeparateProcess(minutes: $0) }
        let pieceMinutes = quick ? 1.0 : 10.0
        let pacedSeconds = quick ? 10.0 : 20.0
        let reference = SyntheticReference(longestMinutes: 10)
        let loops = InnerLoopBenchmark(
            reference: try reference.makeModel(minutes: 10).framesByRecording[0].unpacked,
            repetitions: quick ? 3_000 : 10_000
        ).measure()
        let engines = try zip(minutes, memory).map { minutes, memory in
            EngineCosts(
                referenceMinutes: minutes, model: try reference.makeModel(minutes: minutes),
                liveSeconds: min(pieceMinutes, minutes) * 54 - pacedSeconds, pacedSeconds: pacedSeconds,
                memory: memory)
        }
        let replay = try ReplayCosts(model: reference.makeModel(minutes: 10), seconds: pieceMinutes * 60)
        return BenchmarkResults(
            loops: loops, engines: engines, replay: replay,
            budgetChecks: engines.flatMap(BudgetCheck.engineChecks) + [BudgetCheck.replayCheck(replay)])
    }
}

private func parseMinutesList(_ text: String) throws -> [Double] {
    let parts = text.split(separator: ",")
    guard !parts.isEmpty else { throw ValidationError("--minutes needs at least one number.") }
    return try parts.map { part in
        guard let minutes = Double(part), (1...180).contains(minutes) else {
            throw ValidationError("--minutes is a list of numbers from 1 to 180, not “\(text)”.")
        }
        return minutes
    }
}
