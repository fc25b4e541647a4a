import ArgumentParser
import Hosting
import Preparation
import ReferenceStore

/// `baton forecast` says how well a prepared piece will be followed.
struct ForecastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Says how well a prepared piece will be followed, and what would help.",
        discussion: """
            The share of time with the right bar is estimated from the lengths of the piece's bars and how much they \
            vary; noise, a bad room and mistakes make it worse. Passages that sound alike are listed: after a cut or a \
            jump the follower cannot tell them apart. Then the piece's own recordings are followed with made trouble, \
            and the bars at which the follower hesitates or is wrong are named.

            Example: baton forecast bach-prelude
            """)

    @Argument(help: "The piece's folder under Models/.")
    var piece: String

    @Option(help: ArgumentHelp("The folder of models.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Option(
        help: ArgumentHelp(
            "The folder of recordings: FOLDER/PIECE/REFERENCE/audio.ogg.", valueName: "folder"),
        completion: .directory)
    var recordings = "Recordings"

    @Flag(help: "Prints the forecast as JSON.")
    var json = false

    func run() async throws {
        try await printingErrors(as: "forecast") {
            let stored = try ModelFolder(path: models).loadModel(piece)
            var forecast = PieceForecast(model: stored.model)
            let order = TroubleTrialOrder(models: models, folder: piece, recordings: recordings)
            let console = PreparationConsole()
            forecast.take(try order.perform(observer: console))
            console.clearProgressLine()
            if forecast.trouble == nil {
                printToStandardError(
                    "There is no recording of this piece under \(recordings)/\(piece), so made trouble was not tried.\n"
                )
            }
            print(json ? try forecast.json : forecast.text)
        }
    }
}
