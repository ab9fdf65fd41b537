"""In: good, changed and missing models. Out: only the known one is read, and its absence is survived."""

import subprocess
import sys

import pytest

from generator.words import hanta
from generator.words.tagger import tag
from generator.words.word_classes import WordClass


def test_changed_model_is_refused_before_it_is_unpickled(tmp_path, monkeypatch):
    changed = tmp_path / hanta.MODEL_FILE
    content = bytearray(hanta.model_path().read_bytes())
    content[-1] ^= 1
    changed.write_bytes(content)
    monkeypatch.setattr(hanta.pickle, "loads", lambda _: pytest.fail("unpickled"))
    with pytest.raises(hanta.TaggerUnavailableError, match="not the known model"):
        hanta.read_model(changed)


def test_missing_model_is_reported(tmp_path):
    with pytest.raises(hanta.TaggerUnavailableError):
        hanta.read_model(tmp_path / "none")


@pytest.fixture
def fresh_loader():
    hanta._load.cache_clear()
    yield
    hanta._load.cache_clear()


@pytest.mark.usefixtures("fresh_loader")
def test_without_a_good_model_the_lists_take_over(tmp_path, monkeypatch):
    (tmp_path / "model").write_bytes(b"not a model")
    monkeypatch.setattr(hanta, "model_path", lambda: tmp_path / "model")
    with pytest.raises(hanta.TaggerUnavailableError):
        hanta.tag_sentence(["Die", "Katze"])
    assert [word.word_class for word in tag(["Die", "Katze"])] == [WordClass.ARTICLE, WordClass.NOUN]


def test_model_of_the_working_folder_is_not_read(tmp_path, monkeypatch):
    (tmp_path / hanta.MODEL_FILE).write_bytes(b"planted")
    monkeypatch.chdir(tmp_path)
    assert hanta.model_path().is_absolute()
    assert hanta.model_path().parent != tmp_path


def test_hanta_is_imported_only_when_a_sentence_is_tagged_and_stays_silent():
    program = (
        "import sys\n"
        "from generator.words.word_vectors import dimension_meanings, word_vectors\n"
        "dimension_meanings(4)\n"
        "assert 'HanTa.HanoverTagger' not in sys.modules\n"
        "word_vectors(['Die', 'Katze', '😀', 'ßß', '`'], 4)\n"
        "assert 'HanTa.HanoverTagger' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
