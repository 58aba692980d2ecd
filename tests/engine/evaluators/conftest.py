import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a GPU can run, where there is none."""
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if not gpu:
        return
    import torch

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    absent = [item for item in gpu if not present[_device(item)]]
    if absent:
        config.hook.pytest_deselected(items=absent)
        items[:] = [item for item in items if item not in absent]


def _device(item: pytest.Item) -> str:
    """The one that a test is about."""
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return str(parameters.get("device", "cuda"))
