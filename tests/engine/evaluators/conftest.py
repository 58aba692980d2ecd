import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a GPU can run, where there is none."""
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if not gpu:
        return
    import torch

    if not torch.cuda.is_available():
        config.hook.pytest_deselected(items=gpu)
        items[:] = [item for item in items if item not in gpu]
