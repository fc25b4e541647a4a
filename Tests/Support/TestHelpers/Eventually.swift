/// Waits until something is so; false if it is not within the limit.
///
/// The limit is for a machine that is busy with other work: a test that passes never waits for it.
func eventually(
    within limit: Duration = .seconds(120), isolation: isolated (any Actor)? = #isolation,
    _ isSo: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try await isSo() { return true }
        guard .now < end, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
}
