"""A stand-in for MusicBrainz, setlist.fm and YouTube on loopback, with answers made for the tests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORCHESTRA = "11111111-2222-4333-8444-555555555555"
ARTIST = {"id": ORCHESTRA, "type": "Group", "name": "The Examples", "area": {"name": "Musterstadt"},
          "disambiguation": "made for a test", "genres": [{"name": "chamber pop", "count": 3}]}
SETLIST = {
    "id": "63de4613", "versionId": "7be1aaa0", "eventDate": "05-07-2026", "artist": {"mbid": ORCHESTRA,
                                                                                     "name": "The Examples"},
    "tour": {"name": "Loud tour"}, "venue": {"name": "Town hall", "city": {"name": "Musterstadt",
                                                                          "country": {"code": "AT"}}},
    "sets": {"set": [{"song": [{"name": "Opener"}, {"name": "Borrowed", "cover": {"name": "Others"}}]},
                     {"encore": 1, "song": [{"name": "Again"}]}]},
    "url": "https://www.setlist.fm/setlist/the-examples/2026/town-hall-63de4613.html",
}
VIDEO = {"id": {"videoId": "abc-DEF_123"},
         "snippet": {"title": "The Examples &amp; friends", "channelTitle": "Town hall",
                     "publishedAt": "2026-07-06T10:00:00Z"}}


class SourceStandIn(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        self.asked = []
        super().__init__(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        path = self.path.split("?")[0]
        answer = {"/ws/2/artist": {"artists": [ARTIST]}, f"/ws/2/artist/{ORCHESTRA}": ARTIST,
                  "/rest/1.0/search/setlists": {"setlist": [SETLIST]}, "/rest/1.0/setlist/63de4613": SETLIST,
                  "/youtube/v3/search": {"items": [VIDEO]}}.get(path)
        body = json.dumps(answer or {}).encode()
        self.send_response(200 if answer else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
