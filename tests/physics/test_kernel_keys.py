"""Keys of kernels that are remembered are those that would be worked out."""

import json
import subprocess
import sys

import pytest

from physics import compiled, kernel_keys, kernel_store, simulation
from tests.physics.test_compiled import ROOT


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty folder for builds and keys."""
    monkeypatch.setattr(kernel_store, "folders", lambda: (tmp_path,))
    kernel_keys._file.cache_clear()
    kernel_keys._kept.cache_clear()
    yield tmp_path
    kernel_keys._file.cache_clear()
    kernel_keys._kept.cache_clear()


def again():
    """As another process begins."""
    kernel_keys._file.cache_clear()
    kernel_keys._kept.cache_clear()


def ours():
    assert simulation
    return [each for each in compiled.declared.values() if each.name.startswith("physics.")]


def test_remembered_keys_are_the_ones_that_would_be_worked_out(store, monkeypatch):
    kernels = ours()
    right = {each.name: each.worked_out_key() for each in kernels}
    assert kernel_keys.known(kernels[0]) == right[kernels[0].name]
    assert [json.loads(file.read_text()) for file in store.glob("keys-*")] == [right]
    again()
    monkeypatch.setattr(compiled.Kernel, "worked_out_key", lambda self: "never")
    assert {each.name: kernel_keys.known(each) for each in kernels} == right


@pytest.mark.parametrize("damage", ["", "[]", '{"physics.'])
def test_a_damaged_file_is_written_anew(store, monkeypatch, damage):
    monkeypatch.setattr(compiled.Kernel, "worked_out_key", lambda self: "k")
    kernel = ours()[0]
    kernel_keys._file().write_text(damage)
    assert kernel_keys.known(kernel) == "k"
    again()
    assert json.loads(kernel_keys._file().read_text())[kernel.name] == "k"


def test_sources_of_another_text_have_another_file(store, tmp_path, monkeypatch):
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "a.py").write_text("RATE = 1.0")
    monkeypatch.setattr(kernel_keys, "_FOLDERS", (sources,))
    first = kernel_keys._file()
    again()
    (sources / "a.py").write_text("RATE = 2.0")
    assert kernel_keys._file() != first


def test_the_compiler_is_not_imported_before_a_kernel_is_called():
    """It is most of what a client would load before its first picture."""
    code = "import sys, client.play.program, client.bot.player; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
