/// Waits until something is so; false if it still is not after the limit, which no test waits for that passes.
func eventually(
    within limit: Duration = .seconds(120), _ isSo: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try await isSo() { return true }
        guard .now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
}
