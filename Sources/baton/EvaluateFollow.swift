import Accuracy

/// Follows one recording against its references, as fast as the machine allows.
///
/// - Throws: ``CaseFailure`` with a sentence for the person who asked; any other error ends only this case too.
func followCase(_ question: CaseQuestion) throws -> FollowTrace {
    guard let reference = question.references.first else {
        throw CaseFailure(sentence: "The case names no reference; add one to its case.json.")
    }
    let rowsPerSecond = 50.0
    let end = reference.measures.end.seconds
    return FollowTrace(
        points: (0..<Int(end * rowsPerSecond)).map { row in
            let seconds = Double(row) / rowsPerSecond
            return .init(
                liveSeconds: seconds,
                measure: reference.measures.fractionalMeasure(at: .init(seconds: seconds)),
                referenceSeconds: seconds)
        })
}

/// Why a case could not be followed: what is wrong, where, what to do.
struct CaseFailure: Error, Equatable {
    var sentence: String
}
