"""Code that several of the tools share: independent of the server, by the published formats alone.

Scripts in Tools and its packages import it as `lib`; Tools/browser and Tools/load, whose scripts are run from their
own folders, have a link to it.
"""
