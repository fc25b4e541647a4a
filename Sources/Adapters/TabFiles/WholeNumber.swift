/// The whole number that a file from outside writes; nil if it is none, or so large that adding to it could overflow.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    Int(text).flatMap { (-1_000_000_000...1_000_000_000).contains($0) ? $0 : nil }
}
