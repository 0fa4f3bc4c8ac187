"""Names as ids, and the few shapes of generated blocks."""

from scripts.render.html import slug


def test_a_name_becomes_an_id_without_signs_and_in_small_letters() -> None:
    assert slug("15-io+cpu-async+process_pool") == "15-io-cpu-async-process-pool"
    assert slug("Author's computer ") == "author-s-computer"


def test_names_in_other_scripts_stay_apart() -> None:
    assert [slug(name) for name in ("Ноутбук-é", "Сервер")] == ["ноутбук-é", "сервер"]
