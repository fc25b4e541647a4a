import BackupLink
import Basics
import Catalogue

/// Reasons why the active server's content cannot be copied.
enum ReplicationError: Explained, Equatable, Sendable {
    case linkFailed(ExplainedError)
    case storeFailed(CatalogueError)
    /// The active server refused the request, for the reason in this sentence.
    case refused(String)
    /// The message cannot be decoded, or it was encrypted with another key.
    case messageUnreadable
    case databaseFormatDiffers
    /// The content of one of the two servers changed while it was being copied.
    case changedMeanwhile
    case invalidFileName(String)
    case fileTooLarge(String, bytes: Int64)
    case contentTooLarge(bytes: Int64)
    case wrongDigest(String)
    /// An item that arrived whole is of no use, for the reason in this sentence's end.
    case itemDamaged(folder: String, item: String, reason: String)
    case cannotWriteFile(path: String, reason: String)

    var sentence: String {
        switch self {
        case .linkFailed(let silence): silence.sentence
        case .storeFailed(let error): error.sentenceWithoutPath
        case .refused(let sentence): sentence
        case .messageUnreadable:
            "The other server's message about its content cannot be read; install the same version on both, "
                + "with the same --link-key."
        case .databaseFormatDiffers:
            "The other server's database has a different format from this one's; install the same version on both."
        case .changedMeanwhile:
            "The content changed while it was being copied; it will be copied again."
        case .invalidFileName(let name):
            "The other server named a file “\(name)”, which is not a digest; it was not copied."
        case .fileTooLarge(let name, let bytes):
            "The file \(name) of the other server has \(bytes) bytes, more than the limit; it was not copied."
        case .contentTooLarge(let bytes):
            "The other server's content has more than \(bytes >> 20) MB of texts, too much to be copied at once."
        case .wrongDigest(let name):
            "The file \(name) arrived damaged from the other server; it will be fetched again. If this repeats, "
                + "the file there is damaged."
        case .itemDamaged(let folder, let item, let reason):
            "“\(item)” of the folder “\(folder)” is damaged on the other server (\(reason)); the copy here stays as it "
                + "was."
        case .cannotWriteFile(_, let reason):
            "A file of the data folder could not be written (\(reason)), so the content is not copied; free some "
                + "space on this server's disk."
        }
    }
}
