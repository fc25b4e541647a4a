// The follower, at an address that the service worker of practice answers also without the server.
import "/shared/follower-worker.js";
