"""The detector as a program, compiled from its sources, and what it says of pages."""

import contextlib
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

import judging
from progress import Progress

HERE = pathlib.Path(__file__).resolve().parent
PAGES = HERE.parent.parent / "Sources/Adapters/ScorePages"
SHARED = ("PageMeasureDetector", "GreyImage", "PageBox", "ScorePagesError")


def compiled():
    """The program, optimised. It is kept in the folder of builds until a source changes."""
    sources = [*sorted((PAGES / "Detection").rglob("*.swift")), *(PAGES / f"{name}.swift" for name in SHARED)]
    texts = b"".join(source.read_bytes() for source in [*sources, HERE / "detect.swift"])
    folder = pathlib.Path(os.environ.get("BATON_BUILD", HERE.parent.parent / ".build")) / "detect-measures"
    program = folder / hashlib.sha256(texts).hexdigest()[:16]
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        with tempfile.TemporaryDirectory() as made:
            main = pathlib.Path(made) / "main.swift"
            main.write_bytes((HERE / "detect.swift").read_bytes())
            part = program.with_suffix(".part")
            command = ["swiftc", "-O", "-wmo", "-swift-version", "6", *sources, main, "-o", part]
            if subprocess.run(command).returncode:
                raise SystemExit("detect-measures: the detector cannot be compiled")
            part.rename(program)
    return program


def detected(folder, *options, only=""):
    """Each page of a folder with its truth and what the detector says of it, as soon as it says so.

    One process reads all pages, one after the other. An interrupt ends it, and what was yielded stays.
    """
    pages = sorted(page for page in folder.glob("*.pgm")
                   if only in page.stem and page.with_suffix(".json").exists())
    if not pages:
        return
    with contextlib.ExitStack() as kept:
        program = compiled()
        process = subprocess.Popen([program, *options, *pages], stdout=subprocess.PIPE, text=True)
        kept.callback(process.wait)
        kept.callback(process.kill)
        progress = Progress("pages read", len(pages))
        for page, line in zip(pages, process.stdout):
            progress.step()
            yield page, judging.read(page.with_suffix(".json")), json.loads(line)
        if progress.done < len(pages):
            raise SystemExit(f"detect-measures: the detector ended at {pages[progress.done]}")
