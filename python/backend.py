"""Builds the wheel: maturin's backend, with the command `hardbop` and Z3's library put where it finds them.

In the environment, HARDBOP_PROFILE chooses Cargo's profile (`release`), and HARDBOP_PROGRAM a program that is there
already.
"""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import maturin
from maturin import *  # noqa: F403  (the other hooks of PEP 517)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SCRIPTS = HERE / "hardbop.data" / "scripts"
LIBRARY = HERE / "hardbop" / "libz3.so"


def _program(profile):
    given = os.environ.get("HARDBOP_PROGRAM")
    if given:
        return Path(given)
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", "--locked", "--profile", profile, "-p", "hardbop", "--bin", "hardbop"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return ROOT / target / ("debug" if profile == "dev" else profile) / "hardbop"


@contextmanager
def _scripts():
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        shutil.rmtree(SCRIPTS.parent, ignore_errors=True)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with _scripts():
        return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    profile = os.environ.get("HARDBOP_PROFILE", "release")
    os.environ["MATURIN_PEP517_ARGS"] = f"--profile {profile} --locked"
    with _scripts():
        try:
            shutil.copy(_program(profile), SCRIPTS / "hardbop")
            fetched = ROOT / "vendor" / "z3" / "lib" / "libz3.so"
            if fetched.exists():
                shutil.copy(fetched, LIBRARY)
            return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
        finally:
            LIBRARY.unlink(missing_ok=True)
