import Basics
import Platform

extension ScratchFolder {
    /// Makes the temporary folder of one rendering.
    init() throws(ExplainedError) {
        try self.init(prefix: "baton-render", or: RenderingError.cannotWrite)
    }
}
