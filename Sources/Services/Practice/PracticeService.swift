import Catalogue
import Hosting
import WebServer

/// Serves `/practice`: the tabs that people write and play. The page works alone; the server keeps what people who
/// are signed in have made, so that they find it on all their devices.
package struct PracticeService: HostedService {
    private let catalogue: CatalogueStore

    package init(catalogue: CatalogueStore) { self.catalogue = catalogue }

    package var routes: [WebRoute] { PracticeTabRoutes(catalogue: catalogue).routes }
}
