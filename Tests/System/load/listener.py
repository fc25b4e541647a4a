"""One listener: a connection, what it has heard, and what it believes."""
import json


class Listener:
    __slots__ = ("number", "socket", "is_asked", "is_joined", "began", "joining", "joined_at", "rest", "key", "trials",
                 "moves", "fault", "head", "is_chunked", "is_secure", "place")

    def __init__(self, number):
        self.number = number
        self.socket = None
        self.key = None  # (show, term, change, sequence) of what it holds
        self.joining = self.joined_at = self.place = None
        self.trials = self.moves = 0
        self.rest = b""
        self.is_asked = self.is_joined = self.head = self.is_chunked = self.is_secure = False
        self.fault = None

    def begin(self, made, now):
        self.socket = made
        self.began = now
        self.rest = b""
        self.is_asked = self.is_joined = self.head = self.is_chunked = self.is_secure = False
        self.fault = None

    def end(self):
        self.socket = None
        self.is_joined = False

    def ask(self, request):
        self.socket.send(request.encode())
        self.is_asked = True

    def snapshot(self, at):
        self.is_joined = True
        self.trials = 0
        self.joining = max(0.0, at - self.began)
        self.joined_at = at

    def admits(self, key):
        """The same value twice is no step back; another show is judged by its beginning, which names it."""
        return self.key is None or key >= self.key

    def events(self, data):
        """Complete events; what is cut is kept for the next."""
        data = self.rest + data
        self.rest = b""
        if not self.head:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.rest = data
                return []
            if not data.startswith(b"HTTP/1.1 200"):
                self.fault = data[9:12].decode("latin-1")
                return []
            self.head = True
            self.is_chunked = b"\r\ntransfer-encoding: chunked" in data[:end].lower()
            data = data[end + 4:]
        if not self.is_chunked:
            end = data.rfind(b"\n\n") + 2
            self.rest = data[end:] if end > 1 else data
            return self.read(data[:end]) if end > 1 else []
        whole = b""
        while data:
            line = data.find(b"\r\n")
            if line < 0:
                break
            size = int(data[:line] or b"0", 16)
            if len(data) < line + 4 + size:
                break
            whole += data[line + 2:line + 2 + size]
            data = data[line + 4 + size:]
        self.rest = data
        return self.read(whole)

    @classmethod
    def parse(cls, data, is_chunked):
        """Events that are complete, in chunks or as they are."""
        if not is_chunked:
            return cls.read(data)
        whole = b""
        while data:
            line = data.find(b"\r\n")
            size = int(data[:line], 16)
            whole += data[line + 2:line + 2 + size]
            data = data[line + 4 + size:]
        return cls.read(whole)

    @staticmethod
    def read(text):
        found = []
        for block in text.split(b"\n\n"):
            name = value = None
            for line in block.split(b"\n"):
                if line.startswith(b"event: "):
                    name = line[7:].decode()
                elif line.startswith(b"data: "):
                    value = line[6:]
            if name is None:
                continue
            live = None
            if name == "live":
                live = json.loads(value)
            elif name == "snapshot":
                live = json.loads(value).get("live")
            key = None
            if live:
                term, _, change = live["epoch"].partition(".")
                key = (live.get("show") or "", int(term), int(change), live["sequence"])
            found.append((name, key, (live["pieceName"], str(live["measure"])) if live else None))
        return found
