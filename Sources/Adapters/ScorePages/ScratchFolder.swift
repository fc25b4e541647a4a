import Platform

extension ScratchFolder {
    /// Makes the temporary folder for one run of a program that reads or makes pages.
    init() throws(ScorePagesError) {
        try self.init(prefix: "baton-pages", or: ScorePagesError.cannotWrite)
    }
}
