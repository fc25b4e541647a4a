/// Counts the neighbouring frames for which a condition has held.
struct FrameStreak {
    private var frameCount = 0

    /// Adds a frame.
    /// - Returns: true if the condition has held for more than `required` frames; the count then begins anew.
    mutating func lasts(_ condition: Bool, for required: Int) -> Bool {
        frameCount = condition ? frameCount + 1 : 0
        guard frameCount > required else { return false }
        frameCount = 0
        return true
    }
}
