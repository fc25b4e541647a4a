import Accuracy
import ArgumentParser
import Evaluation
import Foundation
import Hosting
import Listening

/// `baton evaluate` follows recordings with known measure times and reports how well.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Follows recordings whose measures are known and judges the result.",
        discussion: """
            Without arguments the repository's own concert is evaluated: every performance of every piece in \
            Recordings/, followed with each other one as the reference.
            Exit status: 0 all is well, 1 a case failed, 2 the baseline does not hold, 64 the command makes no sense.
            """)

    @Argument(
        help: ArgumentHelp(
            "Directories of cases, single cases, or pieces in Recordings/.", valueName: "place"))
    var places: [String] = []

    @OptionGroup(title: "Method") var method: FollowingMethodOptions

    @Option(help: "Directory for the follower's reports: <id>.csv and <id>.trace.csv.")
    var out: String?

    @Option(help: "Directory written by an earlier --out: its traces are evaluated, and nothing is followed.")
    var judge: String?

    @Option(help: "Comma-separated ids or groups; all others are left out.")
    var only: String?

    @Option(help: "Worker processes; as many as cores unless given.")
    var jobs: Int?

    @Option(help: "File for all figures as JSON.")
    var json: String?

    @Option(
        help:
            "Directory for the data of a picture of every case, as JSON; Tools/draw-charts draws the pictures."
    )
    var pictures: String?

    @Option(help: "File of accepted figures that must hold.")
    var baseline: String?

    @Flag(help: "Write figures that are better than accepted into the baseline.")
    var updateBaseline = false

    @Option(help: "Results to compare with: a file written by --json or a directory written by --out.")
    var compare: String?

    @Flag(help: "Print a line for every case.")
    var perCase = false

    @Flag(help: "Simulate page turns on pages of 20 to 40 measures, and cues a second early; evaluate each.")
    var turns = false

    @Flag(help: "No progress on standard error.")
    var quiet = false

    @Flag(help: .hidden)
    var worker = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1, not \(jobs).") }
        if judge != nil, out != nil || pictures != nil {
            throw ValidationError("--judge follows nothing; leave out --out and --pictures.")
        }
        if judge != nil, !method.isDefault {
            throw ValidationError("--judge follows nothing; leave out --method and --features.")
        }
        if updateBaseline, baseline == nil {
            throw ValidationError("--update-baseline needs --baseline FILE.")
        }
    }

    func run() async throws {
        if worker { return try EvaluationWorker.run() }
        try await printingErrors(as: "evaluate") { try await evaluate() }
    }

    private func evaluate() async throws {
        let names = (only ?? "").split(separator: ",").map(String.init)
        let root = URL(filePath: FileManager.default.currentDirectoryPath)
        let selection = try EvaluationCaseSelection(places: places, only: names, root: root)
        let accepted = try baseline.map {
            try AccuracyBaselineFile(file: URL(filePath: $0), mayBeNew: updateBaseline)
        }
        let rival = try compare.map { try ComparedEvaluation(path: $0) }
        let output = EvaluationFiles()

        let outcomes =
            if let judge {
                try EvaluationFiles.readOutcomes(of: selection.cases, in: URL(filePath: judge))
            } else {
                try await followCases(selection.cases, output: output)
            }
        let results = EvaluationResults(
            cases: selection.cases, outcomes: outcomes, broken: selection.unreadableCases, withTurns: turns)
        try printReport(results, rival: rival, output: output)
        let holds = try accepted.map { try checkBaseline(results, by: $0, output: output) } ?? true
        for (id, sentence) in results.unreadableCases.map({ ($0.id, $0.sentence) }) {
            printError("\(id) failed: \(sentence)", as: "evaluate")
        }
        if !holds { throw ExitCode(2) }
        if !results.failures.isEmpty { throw ExitCode(1) }
    }

    private func followCases(_ cases: [EvaluationCase], output: EvaluationFiles) async throws
        -> [EvaluationWorkerPool
        .Outcome]
    {
        // If a worker process dies, a write to it must fail instead of ending this process.
        signal(SIGPIPE, SIG_IGN)
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "baton-evaluate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: scratch) }
        let progress = EvaluationProgress(total: cases.count, isQuiet: quiet)
        let out = out.map { URL(filePath: $0) }
        let pictures = pictures.map { URL(filePath: $0) }
        let crew = EvaluationWorkerPool(
            cases: cases, means: FollowingOptions(method: method.method, features: method.features),
            scratch: scratch,
            progress: progress, withProbabilities: pictures != nil
        ) { item, outcome, thoughts in
            if let out {
                switch outcome {
                case .followed(let trace): try output.writeTrace(trace, id: item.id, in: out)
                case .failed: output.removeTraces(id: item.id, in: out)
                }
            }
            guard let pictures, let trace = outcome.trace else { return }
            guard let chart = BenchmarkCaseChart(of: item, trace: trace, thoughts: thoughts) else { return }
            let text = String(decoding: try JSONEncoder().encode(chart), as: UTF8.self)
            try output.writeFile(text, to: pictures.appending(path: item.id + ".chart.json"))
        }
        let interruption = TerminationSignals {
            crew.killWorkers()
            output.endProcess(130) { try? FileManager.default.removeItem(at: scratch) }
        }
        defer { interruption.restoreDefaultSignals() }
        let outcomes = await crew.followAllCases(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
        progress.clearProgressLine()
        if let pictures, !quiet {
            printError("Draw the pictures: Tools/draw-charts \(pictures.path)", as: "evaluate")
        }
        return outcomes
    }

    private func printReport(
        _ results: EvaluationResults, rival: ComparedEvaluation?, output: EvaluationFiles
    )
        throws(EvaluationCaseError)
    {
        guard let report = results.benchmarkReport, let conduct = results.behaviourReport else {
            print("No case has a truth to be judged by; \(results.cases.count) followed.")
            return
        }
        print(report.markdownTables(perCase: perCase))
        print(conduct.behaviourTable())
        print(conduct.reliabilityTable(), terminator: rival == nil ? "" : "\n")
        if let turns = results.pageTurnReport {
            print(
                "\n" + turns.markdownTable(perCase: perCase) + "\n" + turns.mistimedTurnTable(),
                terminator: "")
        }
        if let barLines = results.barLineReport {
            print(
                "\n" + barLines.markdownTables(perCase: perCase), terminator: rival == nil ? "" : "\n")
        }
        if let rival { print(try rival.comparison(with: results).markdownTables(), terminator: "") }
        if let json { try output.writeFile(results.json.jsonText() + "\n", to: URL(filePath: json)) }
    }

    private func checkBaseline(
        _ results: EvaluationResults, by baseline: AccuracyBaselineFile, output: EvaluationFiles
    ) throws(EvaluationCaseError) -> Bool {
        guard let report = results.benchmarkReport else { return true }
        let verdict = baseline.judge(report)
        print("\n" + verdict.text)
        if updateBaseline { try output.writeFile(baseline.updatedContent(by: report), to: baseline.file) }
        return verdict.holds
    }
}
