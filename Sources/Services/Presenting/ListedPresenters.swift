import Floor
import PresentingProtocol

extension FloorState {
    /// The presenters as each of them may know the others: who can be handed the floor, and who has it.
    var listedPresenters: [ListedPresenter] {
        presenters.filter { $0.id != .moderator }.map {
            ListedPresenter(
                id: $0.id.rawValue, isConnected: $0.isPresent, hasFloor: $0.id == holder, name: $0.name)
        }
    }
}
