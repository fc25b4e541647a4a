import ChildProcesses

extension ScratchFolder {
    /// For one rendering.
    init() throws(RenderingError) {
        try self.init(prefix: "baton-render", or: RenderingError.cannotWrite)
    }
}
