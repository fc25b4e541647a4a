"""OSC messages as a show desk sends them."""

import struct


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *arguments):
    tags, data = ",", b""
    for argument in arguments:
        if isinstance(argument, int):
            tags, data = tags + "i", data + struct.pack(">i", argument)
        elif isinstance(argument, float):
            tags, data = tags + "f", data + struct.pack(">f", argument)
        else:
            tags, data = tags + "s", data + text(str(argument))
    return text(address) + text(tags) + data


def address(packet):
    return packet.split(b"\0", 1)[0].decode("utf-8", "replace")
