"""Prepares .venv with the pinned versions; runs on a bare Python, before anything is installed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
VENV = HOME / ".venv"
PYTHON = VENV / "bin" / "python"
UNFINISHED = VENV / "unfinished"  # there while an install is under way: what is found with it is thrown away
SHIPPED = ("engine", "frontends", "protocol")


def main() -> None:
    """Install the engine, and with the argument `dev` what its tests need."""
    if sys.version_info < (3, 11):  # noqa: UP036, the reader may start this with an older Python
        sys.exit(f"extremum: needs Python 3.11 or newer, this is {sys.version.split()[0]}; set PYTHON to another")
    extras = sys.argv[1:]
    with open(HOME / "pyproject.toml", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a GUI may start three engines at once
        try:
            install(extras)
        except subprocess.CalledProcessError as error:
            sys.exit(f"extremum: '{' '.join(map(str, error.cmd))}' failed; run the command again to repair it")
        except KeyboardInterrupt:
            sys.exit("extremum: interrupted; run the command again to go on")


def install(extras: list[str]) -> None:
    """Bring .venv up to date; the stamp is written last, so that a broken install is seen and repaired."""
    stamps = [VENV / "installed", *(VENV / f"installed-{extra}" for extra in extras)]
    if all(stamp.is_file() and stamp.read_text() == fingerprint() for stamp in stamps):
        return
    prepared = [VENV / "packages", *(VENV / f"packages-{extra}" for extra in extras)]
    if UNFINISHED.exists() or not works():
        shutil.rmtree(VENV, ignore_errors=True)
    if not all(stamp.is_file() and stamp.read_text() == versions() for stamp in prepared):
        prepare(extras)
        for stamp in prepared:
            stamp.write_text(versions())
    run(PYTHON, "-m", "compileall", "-q", *(HOME / folder for folder in SHIPPED))
    run(PYTHON, "-m", "extremum.frontends.cli", "warm")
    for stamp in stamps:
        stamp.write_text(fingerprint())


def prepare(extras: list[str]) -> None:
    """Make the environment and install into it; what an interruption leaves behind is marked."""
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    for stamp in [*VENV.glob("installed*"), *VENV.glob("packages*")]:
        stamp.unlink()
    if not PYTHON.exists():
        tell("making .venv")
        run(sys.executable, "-m", "venv", VENV)
    install_packages(extras)
    link_sources()
    UNFINISHED.unlink()


def versions() -> str:
    """What the installed packages depend on."""
    return f"{HOME}\n" + (HOME / "pyproject.toml").read_text() + (HOME / "constraints.txt").read_text()


def fingerprint() -> str:
    """What the launchers compare with the stamp: the kernels are compiled again when they change."""
    kernels = sorted((HOME / "engine" / "kernels").glob("*.py"), key=lambda path: path.name.encode())
    return versions() + "".join(path.read_text() for path in kernels)


def works() -> bool:
    """True when .venv's Python starts and has pip."""
    if not PYTHON.exists():
        return False
    return subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def install_packages(extras: list[str]) -> None:
    """Install the pinned packages and this one, in place."""
    tell("installing packages (a minute or two)")
    options = "--progress-bar=off --disable-pip-version-check --constraint constraints.txt"
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", *options.split()]
    wanted = f".[{','.join(extras)}]" if extras else "."
    run(*pip, "setuptools")
    run(*pip, "--no-build-isolation", "--editable", wanted)


def link_sources() -> None:
    """Show the folders to type checkers under the name they are imported by."""
    shown = VENV / "types"
    (shown / "extremum").mkdir(parents=True, exist_ok=True)
    links = {shown / "extremum" / folder: HOME / folder for folder in SHIPPED} | {shown / "tests": HOME / "tests"}
    for link, folder in links.items():
        link.unlink(missing_ok=True)
        link.symlink_to(folder)


def run(*command: str | Path) -> None:
    """Run a command whose chatter goes to stderr: stdout belongs to the protocol."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(list(command), stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True, cwd=HOME, env=environment)


def tell(what: str) -> None:
    """Say on stderr what is being done."""
    print(f"extremum: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
