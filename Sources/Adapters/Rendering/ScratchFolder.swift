import ChildProcesses

extension ScratchFolder {
    /// Makes the temporary folder of one rendering.
    init() throws(RenderingError) {
        try self.init(prefix: "baton-render", or: RenderingError.cannotWrite)
    }
}
