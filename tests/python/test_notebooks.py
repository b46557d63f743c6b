"""The notebooks run from the first cell to the last, and are stored without output."""

import shutil

import nbclient
import nbformat
import pytest
from conftest import EXAMPLES

NOTEBOOKS = sorted(path.name for path in (EXAMPLES / "notebooks").glob("*.ipynb"))


def test_there_are_some():
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(folder, name):
    shutil.copytree(EXAMPLES / "notebooks", folder / "notebooks")
    shutil.copytree(EXAMPLES / "two_link_arm", folder / "two_link_arm")
    notebook = nbformat.read(folder / "notebooks" / name, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3",
                            resources={"metadata": {"path": str(folder / "notebooks")}}).execute()
    assert all(cell.execution_count for cell in code)
