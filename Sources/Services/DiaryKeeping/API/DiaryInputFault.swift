import WebServer

/// A mistake in what somebody sent: the field, and a sentence that says what is wrong and what to do.
package struct DiaryInputFault: AnsweringError, Equatable {
    /// The name of the field or parameter; empty if the whole request is wrong.
    package var field: String
    package var sentence: String
    var status = 422
    var code = "bad-field"

    package init(_ field: String, _ sentence: String) { (self.field, self.sentence) = (field, sentence) }

    init(_ field: String, _ sentence: String, status: Int, code: String) {
        (self.field, self.sentence, self.status, self.code) = (field, sentence, status, code)
    }

    package var response: WebResponse {
        .json(["error": sentence, "code": code, "field": field], status: status)
    }
}
