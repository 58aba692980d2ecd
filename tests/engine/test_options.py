import pytest

from extremum.engine.errors import EngineError
from extremum.engine.options import Options, option_choices, option_help, option_names


def test_an_option_is_set_from_text_and_read_back() -> None:
    options = Options().changed("visits", "400").changed("textbook", "on").changed("movetime", "0.5")
    assert (options.visits, options.textbook, options.movetime) == (400, True, 0.5)
    assert [options.text(name) for name in ("visits", "textbook", "movetime")] == ["400", "true", "0.5"]


def test_a_change_leaves_the_old_options_as_they_were() -> None:
    options = Options()
    options.changed("visits", "400")
    assert options.visits == 0


@pytest.mark.parametrize(
    ("name", "text", "refusal"),
    [
        ("vists", "1", f"unknown option 'vists': one of {', '.join(option_names())}"),
        ("visits", "many", "invalid value 'many' for visits: a whole number in 0..1000000000000"),
        ("visits", "-1", "invalid value '-1' for visits: a whole number in 0..1000000000000"),
        ("movetime", "nan", "invalid value 'nan' for movetime: a number in 0.001..86400.0"),
        ("movetime", "inf", "invalid value 'inf' for movetime: a number in 0.001..86400.0"),
        ("seed", "9" * 5000, f"invalid value '{'9' * 5000}' for seed: a whole number in 0..2147483647"),
        ("textbook", "maybe", "invalid value 'maybe' for textbook: true or false"),
        ("device", "tpu", "invalid value 'tpu' for device: one of auto, cpu, cuda, mps"),
    ],
)
def test_a_wrong_value_is_refused_with_the_choices(name: str, text: str, refusal: str) -> None:
    with pytest.raises(EngineError) as caught:
        Options().changed(name, text)
    assert str(caught.value) == refusal


def test_every_option_has_help() -> None:
    assert all(option_help(name) for name in option_names())


def test_words_are_read_as_they_stand_and_choices_in_any_case() -> None:
    options = Options().changed("weights", "Nets/Mine.onnx").changed("evaluator", "INT8")
    assert (options.weights, options.evaluator) == ("Nets/Mine.onnx", "int8")
    assert option_choices("device") == ("auto", "cpu", "cuda", "mps")
    assert option_choices("weights") == option_choices("seed") == ()
