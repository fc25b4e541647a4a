import Hosting
import WebServer

/// Answers questions about the sound device.
extension ConsoleRequestHandler {
    package func respondWithSound() async -> WebResponse { .json(await soundChooser.describeSound()) }

    package func chooseSoundDevice(_ name: String, channel: Int?) async -> WebResponse {
        guard let problem = await soundChooser.chooseDevice(name, channel: channel) else { return .succeeded }
        return .refused(409, "no-device", problem)
    }
}
