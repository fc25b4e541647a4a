"""A room as the hub keeps it, near enough for the stand's page: one order of events, each taken once."""

import time
import uuid

RIGHTS = {"owner": {"publish", "rename", "role", "expel", "readmit", "handOver"},
          "lead": {"begin", "endSession", "turn", "pinpoint", "endPinpoint"}}


class Refused(Exception):
    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.value = {"code": code, "sentence": sentence}


def new_id():
    return str(uuid.uuid4())


class Room:
    """State and log of one room."""

    def __init__(self, score, name, owner, owner_name, passkey=None, published=True, room=None, membership=None):
        self.id, self.passkey, self.sequence = room or new_id(), passkey, 0
        self.content = {
            "room": {"id": self.id, "score": score, "name": name, "owner": owner, "isPublished": published},
            "members": [{"id": membership or new_id(), "user": owner, "name": owner_name, "role": "owner",
                         "status": "joined"}],
            "participations": [], "layers": [], "remarks": [], "ownLayers": [], "ownRemarks": []}
        self.events, self.taken, self.erased, self.whereabouts = [], {}, {}, {}
        self.last_shared, self.last_own = 0, {}

    # -- looking --------------------------------------------------------------------------------------------

    def member(self, user):
        return next((each for each in self.content["members"] if each["user"] == user), None)

    def role(self, user):
        member = self.member(user)
        return member["role"] if member and member["status"] == "joined" else None

    @property
    def running(self):
        return bool(self.content.get("session")) and "ended" not in self.content["session"]

    def participation(self, user):
        return next((each for each in reversed(self.content["participations"])
                     if each["user"] == user and "left" not in each), None)

    def snapshot(self, user):
        content = dict(self.content)
        content["ownLayers"] = [each for each in content["ownLayers"] if each["user"] == user]
        own = {each["id"] for each in content["ownLayers"]}
        content["ownRemarks"] = [each for each in content["ownRemarks"] if each["layer"] in own]
        return {"v": 1, "snapshot": content, "seen": f"{self.last_shared}.{self.last_own.get(user, 0)}"}

    def since(self, seen, user):
        """What a stand has missed, as messages."""
        if seen == "new":
            return [self.snapshot(user)]
        shared, own = (int(each) for each in seen.split("."))
        if shared > self.last_shared or own > self.last_own.get(user, 0):
            return [self.snapshot(user)]
        return [each for each in self.events
                if (each["seq"] > own and each["by"] == user if each.get("own") else each["seq"] > shared)]

    # -- taking ---------------------------------------------------------------------------------------------

    def take(self, event, user, name):
        """Takes an event; gives the sequenced one, or None where it was taken before or changes nothing."""
        if event["id"] in self.taken:
            return None
        act = next(key for key in event if key not in ("id", "v"))
        value = event[act]
        role = self.role(user)
        if act != "join" and role is None:
            raise Refused("not-a-member", "You are not a member of this room.")
        if act in RIGHTS["owner"] and role != "owner":
            raise Refused("not-allowed", "Only the room's owner does this.")
        if act in RIGHTS["lead"] and role not in ("owner", "leader"):
            raise Refused("not-allowed", "Only the room's owner and leaders do this.")
        if act in ("enter", "openLayer", "turn", "pinpoint", "place") and not self.running:
            raise Refused("not-now", "No session is running.")
        name, value, own = self.become(act, value, user, name)
        after = self.last_own.get(user, 0) if own else self.last_shared
        self.sequence += 1
        done = {"v": 1, "seq": self.sequence, "after": after, "id": event["id"], "at": int(time.time() * 1000),
                "by": user, name: value}
        if own:
            done["own"] = True
            self.last_own[user] = self.sequence
        else:
            self.last_shared = self.sequence
        self.apply(name, value, done["at"])
        self.events.append(done)
        self.taken[event["id"]] = self.sequence
        return done

    def become(self, act, value, user, name):
        content = self.content
        if act == "join":
            return "joined", {"id": value, "user": user, "name": name, "role": "member", "status": "joined"}, False
        if act == "begin":
            session = {"id": value["session"], "began": int(time.time() * 1000),
                       "performances": value.get("performances", [])}
            return act, {"session": session, "layer": {"id": value["layer"], "session": value["session"]}}, False
        if act == "enter":
            return "entered", {"id": value["participation"], "session": content["session"]["id"], "user": user,
                               "part": value["part"], "entered": int(time.time() * 1000)}, False
        if act == "leave":
            return act, user, False
        if act == "openLayer":
            return act, {"id": value, "session": content["session"]["id"], "user": user}, True
        if act == "place":
            if value["author"] != user:
                raise Refused("not-yours", "A remark is its author's.")
            return act, value, any(each["id"] == value["layer"] for each in content["ownLayers"])
        if act in ("edit", "erase"):
            remark = value["remark"] if act == "edit" else value
            return act, value, any(each["id"] == remark for each in content["ownRemarks"])
        if act == "restore":
            remark, own = self.erased[value]
            return "place", remark, own
        return act, value, False

    def apply(self, act, value, at):
        content = self.content
        if act == "publish":
            content["room"]["isPublished"] = value
        elif act == "rename":
            content["room"]["name"] = value
        elif act == "joined":
            content["members"].append(value)
        elif act == "role":
            self.member(value["user"])["role"] = value["role"]
        elif act in ("expel", "readmit"):
            self.member(value)["status"] = "expelled" if act == "expel" else "joined"
        elif act == "handOver":
            self.member(content["room"]["owner"])["role"] = "leader"
            self.member(value)["role"] = "owner"
            content["room"]["owner"] = value
        elif act == "begin":
            content.update(session=value["session"], participations=[])
            content["layers"].append(value["layer"])
            content.pop("turn", None)
            content.pop("pinpoint", None)
        elif act in ("endSession", "leave"):
            if act == "endSession":
                content["session"]["ended"] = at
            for each in content["participations"]:
                if "left" not in each and (act == "endSession" or each["user"] == value):
                    each["left"] = at
        elif act == "entered":
            present = next((each for each in content["participations"] if each["id"] == value["id"]), None)
            if present:
                present["part"] = value["part"]
            else:
                content["participations"].append(value)
        elif act == "openLayer":
            content["ownLayers"].append(value)
        elif act in ("turn", "pinpoint"):
            content[act] = value
        elif act == "endPinpoint":
            content.pop("pinpoint", None)
        elif act == "place":
            own = any(each["id"] == value["layer"] for each in content["ownLayers"])
            content["ownRemarks" if own else "remarks"].append(value)
        elif act == "edit":
            for each in content["remarks"] + content["ownRemarks"]:
                if each["id"] == value["remark"]:
                    each.update(
                        {key: value[key] for key in ("page", "anchor", "shape", "ink", "paper") if key in value})
        elif act == "erase":
            for shelf in ("remarks", "ownRemarks"):
                for each in list(content[shelf]):
                    if each["id"] == value:
                        self.erased[value] = (each, shelf == "ownRemarks")
                        content[shelf].remove(each)
