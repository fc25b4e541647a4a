import ArgumentParser
import Foundation
import Hosting
import ShowLog
import WebServer

/// `baton certificate` makes the certificate with which a server answers https, without the Internet.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Makes the server's own certificate, for https without the Internet.",
        discussion: """
            Makes a certificate authority once, and a certificate for the names and addresses of this machine. A \
            running server takes it over within half a minute, and renews it by itself. Devices trust it after the \
            authority is installed on them: open http://ADDRESS/secure on the device.
            Prints where the authority's certificate is, its fingerprint, the names, and the end.
            """)

    @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
    var data = ServeOptions.defaultDataFolder

    @Option(
        help: ArgumentHelp(
            "A further name by which devices reach the server, such as hall.example; repeat for more. Names given "
                + "before stay unless new ones are given.",
            valueName: "name"))
    var name: [String] = []

    @Flag(help: "Make a new authority, which has to be installed on all devices again.")
    var newAuthority = false

    func run() async throws {
        try await printingErrors(as: "certificate") {
            try ServerDataFolder.makeFolder(data)
            try RecordingsCommand.StoreOption.refuseRoot(inFolderOfAnother: data, running: "certificate …")
            var settings = WebSettings()
            settings.ownCertificateFolder = Self.folder(in: data)
            let certificate = try ServerCertificate(settings)
            try await certificate.make(
                furtherNames: name.isEmpty ? nil : name, makesAuthority: newAuthority)
            let facts = certificate.facts()
            let end = Date(timeIntervalSince1970: Double(facts.ends ?? 0) / 1_000)
            print("authority    \(certificate.authority?.certificatePath ?? "")")
            print("fingerprint  \(facts.authorityFingerprint ?? "")")
            print("names        \(facts.names.joined(separator: " "))")
            print(
                "valid until  \(end.formatted(.iso8601.year().month().day())); the server renews it by itself"
            )
            guard !facts.leftOut.isEmpty else { return }
            printToStandardError(
                "Left out, because the authority may not name them: \(facts.leftOut.joined(separator: " ")). A new one "
                    + "(--new-authority) may.\n")
        }
    }

    /// The folder of the authority in a data folder.
    static func folder(in data: String) -> String { data + "/tls" }
}
