// The follower, at an address that the stand's service worker answers also without the server.
import "/shared/follower-worker.js";
