import ArgumentParser
import Basics
import Composition
import Foundation
import Hosting
import NetworkLinks

/// Options for signing in to an MQTT broker, shared by server and relay.
struct MQTTBrokerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "User at the broker; the password is taken from BATON_MQTT_PASSWORD.", valueName: "user"))
    var mqttUser: String?

    @Option(
        help: ArgumentHelp(
            "PEM file of certificates to trust; the broker is then reached by TLS.", valueName: "file"),
        completion: .file())
    var mqttCertificates: String?

    @Option(
        help: ArgumentHelp(
            "PEM file of the client certificate, for a broker that asks for one.", valueName: "file"),
        completion: .file())
    var mqttClientCertificate: String?

    @Option(
        help: ArgumentHelp("PEM file of its private key, without a passphrase.", valueName: "file"),
        completion: .file())
    var mqttClientKey: String?

    /// True if none of the options was given.
    var isEmpty: Bool {
        [mqttUser, mqttCertificates, mqttClientCertificate, mqttClientKey].allSatisfy { $0 == nil }
    }

    /// Makes the settings for a broker at the address `place`.
    /// - Parameter password: the broker's password; nil reads it from the environment.
    func makeBrokerSettings(
        _ place: String, name: String,
        password: String? = ProcessInfo.processInfo.environment["BATON_MQTT_PASSWORD"]
    ) throws -> MQTTSettings {
        let place = try HostAndPort(place, of: "--mqtt", example: "127.0.0.1:1883")
        var settings = MQTTSettings(host: place.host, port: place.port, name: name)
        settings.user = mqttUser
        if mqttUser != nil { settings.password = password }
        settings.certificatesFile = mqttCertificates
        guard mqttClientCertificate != nil || mqttClientKey != nil else { return settings }
        guard let certificate = mqttClientCertificate, let key = mqttClientKey else {
            throw ExplainedError(
                "A client certificate needs both --mqtt-client-certificate and --mqtt-client-key.")
        }
        guard mqttCertificates != nil else {
            throw ExplainedError(
                "--mqtt-client-certificate needs --mqtt-certificates, those that the broker's own is "
                    + "trusted by.")
        }
        settings.ownCertificate = MQTTSettings.OwnCertificate(certificateFile: certificate, keyFile: key)
        return settings
    }
}
