import ArgumentParser
import Basics
import Foundation
import Practice
import TabFiles
import Tablature

/// `baton tab` converts tablature and lists its notes.
struct TabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tab",
        abstract: "Converts tablature between formats, and lists its notes.",
        discussion: """
            Formats, by the endings of the files: .json (tab JSON, docs/tab-json.md), .plist (property list), \
            .txt (ASCII tab), .musicxml, .xml and .mxl, .mid; read only: .gp3, .gp4, .gp5 (through PyGuitarPro, see \
            Tools/verovio-venv), .gpx and .gp. docs/practice.md says what each format bears.
              baton tab convert song.gp5 song.musicxml
              baton tab notes song.gp --json
            """,
        subcommands: [Convert.self, Notes.self])

    struct Convert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Converts a tab into another format.")

        @Argument(help: "The tab to read.", completion: .file())
        var input: String

        @Argument(help: "The file to write; its ending names the format.", completion: .file())
        var output: String

        @Flag(name: .shortAndLong, help: "Does not print what was not understood or left out.")
        var quiet = false

        func run() async throws {
            try await printingErrors(as: "tab convert") {
                let format = try TabFormat(fileName: output)
                guard format.isWritten else {
                    throw ExplainedError(
                        "\(output) would be a Guitar Pro file, which is only read; write .musicxml, which Guitar Pro opens."
                    )
                }
                let exchange = TabExchange()
                let reading = try await exchange.read(path: input)
                let written = try exchange.write(reading.tab, as: format)
                do { try Data(written.bytes).write(to: URL(fileURLWithPath: output), options: .atomic) } catch
                {
                    throw ExplainedError("\(output) cannot be written: \(error.localizedDescription).")
                }
                if !quiet { for remark in reading.remarks + written.remarks { printRemark(remark) } }
            }
        }
    }

    struct Notes: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the notes of a tab in performance order.",
            discussion: """
                Tracks and bars count from 1, repeats are not unfolded. Tied notes are one entry with their whole \
                length. Grace notes have the length 0 and the onset of their beat. The pitch is that of the fret with \
                the capo; of percussion it is the key of the drum map. Notes without strings have null for string \
                and fret.
                """)

        @Argument(help: "The tab to read.", completion: .file())
        var file: String

        @Flag(help: "Prints JSON; otherwise a table.")
        var json = false

        @Flag(name: .shortAndLong, help: "Does not print what was not understood.")
        var quiet = false

        func run() async throws {
            try await printingErrors(as: "tab notes") {
                let reading = try await TabExchange().read(path: file)
                let notes = reading.tab.struckNotes
                let text = json ? TabNoteText.json(notes) : TabNoteText.table(notes)
                FileHandle.standardOutput.write(Data(text.utf8))
                if !quiet { for remark in reading.remarks { printRemark(remark) } }
            }
        }
    }
}

/// Prints what a person should know about a file on standard error.
private func printRemark(_ remark: String) {
    FileHandle.standardError.write(Data("\(remark)\n".utf8))
}
