import Hosting
import WebServer

/// Answers questions about the sound device.
extension ConsoleRequestHandler {
    package func respondWithSound() async -> WebResponse { .json(await soundChooser.describeSound()) }

    package func chooseSoundDevice(_ name: String, channel: Int?) async -> WebResponse {
        guard let problem = await soundChooser.chooseDevice(name, channel: channel) else { return .succeeded }
        return .refused(409, "no-device", problem)
    }

    package func measureSilence() async -> WebResponse {
        struct Measured: Encodable { var sentence: String }
        switch await soundChooser.measureSilence() {
        case .measured(let sentence): return .json(Measured(sentence: sentence))
        case .refused(let sentence): return .refused(409, "not-now", sentence)
        }
    }
}
