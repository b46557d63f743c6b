"""Static balancing of robot mechanisms: which springs, mounted where.

The commands of the program `counterpoise` as functions and classes, with arrays in place of files. All
numbers are SI unless a unit stands beside them. docs/PYTHON.md is the guide.
"""

from importlib.util import find_spec as _find_spec

if _find_spec("counterpoise._core") is None:
    raise ImportError(
        "the extension of the package counterpoise is not built for this Python "
        f"({__path__[0]}); `scripts/build` in Counterpoise's folder builds it, and then "
        "PYTHONPATH=build/release/python finds the package", name="counterpoise._core")

from counterpoise import plots
from counterpoise._core import Outcome, SizedGeometry, build_info
from counterpoise._progress import Progress
from counterpoise.errors import Error, Infeasible, InputError, Note, StoreError
from counterpoise.evaluator import Batch, Evaluator, SpringSizer, exact_springs
from counterpoise.exchange import import_mjcf, import_robot, import_urdf
from counterpoise.inputs import Model, Motion, Parameter, Scenario
from counterpoise.project import check, compare, merge, new, progress, schema
from counterpoise.report import Ranking, Report, Sensitivity
from counterpoise.results import Results
from counterpoise.simulation import Fall, Simulation, forward, simulate
from counterpoise.study import Constraint, Objective, Study, Variable

__version__ = build_info["version"]

__all__ = [
    "Batch", "Constraint", "Error", "Evaluator", "Fall", "Infeasible", "InputError", "Model", "Motion",
    "Note", "Objective", "Outcome", "Parameter", "Progress", "Ranking", "Report", "Results", "Scenario",
    "Sensitivity", "Simulation", "SizedGeometry", "SpringSizer", "StoreError", "Study", "Variable",
    "build_info", "check", "compare", "exact_springs", "forward", "import_mjcf", "import_robot", "import_urdf",
    "merge", "new", "plots", "progress", "schema", "simulate",
]
