"""Tests what Baton promises when something goes wrong: real servers, real packets, real kills.

Everything here hears and speaks as a phone, a console or a show desk would; it shares no code with the server.
`Tests/System/survive` is the command; docs/survival.md lists the promises and the measurements.
"""
