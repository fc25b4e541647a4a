import ArgumentParser

/// Baton hears a performance and says which bar it is.
@main
struct Baton: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton",
        abstract: "Hears a performance and says which bar is being played.",
        subcommands: [
            PrepareCommand.self, RenderCommand.self, DevicesCommand.self, FollowCommand.self,
            ReplayCommand.self, WatchCommand.self, ServeCommand.self, CtlCommand.self, UserCommand.self,
            ContentCommand.self, RelayCommand.self, Evaluate.self, BenchmarkCommand.self,
        ]
    )
}
