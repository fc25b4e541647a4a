import Foundation

/// The checkout that the tests run in.
public enum Repository {
    /// The folder that holds Package.swift.
    public static let root: URL = {
        var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
            precondition(folder.path != "/", "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The small concert that the repository ships: a folder for each piece.
    public static let recordings = root.appending(path: "Recordings")

    /// The folder names of that concert's pieces, in its order.
    public static let concert = [
        "bach-well-tempered-clavier-1-prelude-in-c", "petzold-anna-magdalena-notebook-minuet-in-g",
        "beethoven-woo-59-fur-elise", "grieg-peer-gynt-hall-of-the-mountain-king",
        "beethoven-symphony-9-ode-to-joy-variations",
    ]
}
