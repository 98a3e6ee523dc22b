"""Sample pages of a host are no more than learning has memory for."""

from pathlib import Path

from specfactory.orchestrate.learning import sample_collection

HEAD = "<html lang=en><title>Lamp {n}</title><h1>Lamp {n}</h1>"
PAGE = HEAD + f"<p>{'It shines at night. ' * 10}</p>" * 60


def test_pages_that_are_too_large_together_are_left_out(tmp_path: Path, monkeypatch) -> None:
    for n in range(6):
        (tmp_path / f"{n}.html").write_text(PAGE.format(n=n))
    monkeypatch.setattr(sample_collection, "MAX_BYTES", 4 * len(PAGE))

    collected = sample_collection.read_folder(tmp_path, "shop.example", 6)

    assert len(collected.lessons) == 4
    assert collected.left_out == {"too large beside the others": 2}


def test_pages_of_little_but_markup_are_taken_for_larger_ones(tmp_path: Path, monkeypatch) -> None:
    for n in range(6):
        (tmp_path / f"{n}.html").write_text(HEAD.format(n=n) + "<p>It shines</p><b></b>" * 300)
    size = (tmp_path / "0.html").stat().st_size
    monkeypatch.setattr(sample_collection, "MAX_BYTES", 10 * size)  # as bytes, they are few

    collected = sample_collection.read_folder(tmp_path, "shop.example", 6)

    assert len(collected.lessons) == 1
    assert collected.left_out == {"too large beside the others": 5}
