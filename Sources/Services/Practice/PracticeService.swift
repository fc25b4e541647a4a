import Catalogue
import Hosting
import WebServer

/// Serves `/practice`: the tabs that people write and play. The page works alone; the server keeps what people who
/// are signed in have made, so that they find it on all their devices.
package struct PracticeService: HostedService {
    private let catalogue: CatalogueStore
    private let converting: TabConvertRoute?

    /// - Parameter converter: reads and writes the files of other programs; nil if this server converts none.
    package init(catalogue: CatalogueStore, converter: (any TabConverting)? = nil) {
        self.catalogue = catalogue
        converting = converter.map(TabConvertRoute.init)
    }

    package var routes: [WebRoute] {
        PracticeTabRoutes(catalogue: catalogue).routes + (converting?.routes ?? [])
    }
}
