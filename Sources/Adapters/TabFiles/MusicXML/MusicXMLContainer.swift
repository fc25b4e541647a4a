import Basics
import Platform

/// The table of contents of a compressed MusicXML file.
public enum MusicXMLContainer {
    /// The paths of the scores that it names, in its order. A file may also name its PDF or its sound.
    public static func scorePaths(_ bytes: [UInt8], name: String) throws(ExplainedError) -> [String] {
        guard bytes.count <= 1_000_000 else {
            throw ExplainedError("\(name) has a table of contents that is too long.")
        }
        let root = try XMLNode.parse(bytes, name)
        let files = (root["rootfiles"]?.children ?? []).prefix(64)
        return files.compactMap { file in
            let kind = file.attributes["media-type"] ?? "xml"
            return kind.hasSuffix("xml") ? file.attributes["full-path"] : nil
        }
    }

    public static func text(scorePath: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <container>
          <rootfiles>
            <rootfile full-path="\(XMLText.escaped(scorePath))" media-type="application/vnd.recordare.musicxml+xml"/>
          </rootfiles>
        </container>

        """
    }
}
