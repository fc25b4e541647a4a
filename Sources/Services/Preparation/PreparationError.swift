/// Reasons why no model could be made. Each sentence says what is wrong, where, and what to do.
package struct PreparationError: Error, Equatable {
    package var sentences: [String]

    package init(_ sentence: String) { sentences = [sentence] }

    package init(_ sentences: [String]) { self.sentences = sentences }
}
