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

            A folder of recordings and annotations, such as a data set's, is evaluated as it is: NAME.wav with \
            NAME.csv, in any format that `baton prepare` reads. The recordings of a folder are one piece.
            Exit status: 0 all is well, 1 a case failed, 2 the baseline does not hold, 64 the command makes no sense.
            """)

    @Argument(
        help: ArgumentHelp(
            "Directories of cases, single cases, folders of recordings and annotations, or pieces in Recordings/.",
            valueName: "place"))
    var places: [String] = []

    @Option(help: "The folder of pieces: FOLDER/PIECE/NAME/audio.ogg.", completion: .directory)
    var recordings = "Recordings"

    @Flag(help: "Follow each recording of a folder by each other one, also if there are more than four.")
    var allPairs = false

    @OptionGroup(title: "Method") var method: FollowingMethodOptions
    @Flag(help: "Leave out the references' copies in other rooms, as pages that follow by themselves do.")
    var withoutRooms = false

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

    @Option(help: "File for all figures as a table, CSV: a row for each group and each case.")
    var csv: String?

    @Option(help: "Directory for a picture of every case: <id>.svg.")
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

    /// Of remarks about the files, so many are printed.
    private static let mostRemarks = 20

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is at least 1, not \(jobs).") }
        if judge != nil, out != nil || pictures != nil {
            throw ValidationError("--judge follows nothing; leave out --out and --pictures.")
        }
        if judge != nil, !method.isDefault || withoutRooms {
            throw ValidationError(
                "--judge follows nothing; leave out --method, --features and --without-rooms.")
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
        let selection = try EvaluationCaseSelection(
            places: places, only: names, recordings: URL(filePath: recordings), allPairs: allPairs)
        for remark in selection.remarks.prefix(quiet ? 0 : Self.mostRemarks) {
            printError(remark, as: "evaluate")
        }
        if !quiet, selection.remarks.count > Self.mostRemarks {
            printError("… and \(selection.remarks.count - Self.mostRemarks) more remarks.", as: "evaluate")
        }
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
            cases: cases,
            means: FollowingOptions(
                method: method.method, features: method.features, areRoomsLeftOut: withoutRooms),
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
            try output.writeFile(CaseChartPicture(chart).svg, to: pictures.appending(path: item.id + ".svg"))
        }
        let interruption = TerminationSignals {
            crew.killWorkers()
            output.endProcess(130) { try? FileManager.default.removeItem(at: scratch) }
        }
        defer { interruption.restoreDefaultSignals() }
        let outcomes = await crew.followAllCases(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
        progress.clearProgressLine()
        return outcomes
    }

    private func printReport(
        _ results: EvaluationResults, rival: ComparedEvaluation?, output: EvaluationFiles
    )
        throws
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
        if let csv { try output.writeFile(results.csv, to: URL(filePath: csv)) }
    }

    private func checkBaseline(
        _ results: EvaluationResults, by baseline: AccuracyBaselineFile, output: EvaluationFiles
    ) throws -> Bool {
        guard let report = results.benchmarkReport else { return true }
        let conduct = results.behaviourReport
        let verdict = baseline.judge(report, conduct: conduct)
        print("\n" + verdict.text)
        if updateBaseline {
            try output.writeFile(baseline.updatedContent(by: report, conduct: conduct), to: baseline.file)
        }
        return verdict.holds
    }
}
