"""Nothing is leaked: LeakSanitizer watches a loop, and the memory in use stays where it is."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

PREPARE = """
    import ctypes
    import numpy
    import counterpoise as cp

    study = cp.Study.load("study.json")
    model, motion = cp.Model.load("model.json"), cp.Motion.load("motion.json")
    f = study.evaluator()
    points = numpy.zeros((50, 3))
    results = study.run("out.db", force=True)
    sizing = cp.SpringSizer(cp.Study.load("exact.json"))

    def once():
        for _ in range(20):
            f(points[0]).objectives
            f({"spring_rate": "2250 N/m", "post_height": 0.24, "mount_radius": 0.05}).reason
        batch = f.batch(points)
        batch.objectives, batch.reasons
        for wrong in ([1], {"a": 1}, "x", [9, 9, 9]):
            try:
                f(wrong)
            except Exception as error:
                str(error)
        cp.simulate(model, motion, {"spring_rate": "2 N/mm"}).to_dict()
        sizing({}).point
        results.arrays("shoulder_peak < 4")
        results.rank(top=3).data
        results.apply(491)
        study.evaluator()
        cp.Study.load("study.json")
        try:
            results.rank("nothing")
        except cp.StoreError:
            pass
"""


@pytest.fixture
def files(arm):
    import counterpoise as cp


    document = cp.Study.load("study.json").data
    document["variables"] = {"spring_rate": {"range": [500, 2500], "unit": "N/m"}}
    document.pop("sampling")
    document["search"] = {"method": "exact-springs"}
    document["objectives"] = document["objectives"][:1]
    cp.Study.from_dict(document).save("exact.json")
    return arm


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], text=True, capture_output=True,
                          env={**os.environ, "PYTHONWARNINGS": "ignore", **environment}, timeout=1200)


def test_memory_in_use_stays(files):
    """Blocks that are allocated after many rounds are those after some, but for what Python keeps."""
    done = run(PREPARE + """
    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]

    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Info

    def in_use():
        info = mallinfo2()
        return info.h + info.e  # bytes in blocks, and in mapped pieces

    for _ in range(100):
        once()
    before = in_use()
    for _ in range(200):
        once()
    print(in_use() - before)
    """, PYTHONMALLOC="malloc", MALLOC_ARENA_MAX="1")
    assert done.returncode == 0, done.stderr
    grown = int(done.stdout.splitlines()[-1])
    # the allocator counts what it keeps for itself: far less than one outcome for each of 40 calls
    assert grown < 200 * 1000, f"{grown} bytes more after 200 rounds"


def test_leak_sanitizer(files):
    library = subprocess.run(["gcc", "-print-file-name=liblsan.so"], text=True, capture_output=True,
                             check=True).stdout.strip()
    done = run(PREPARE + """
    for _ in range(20):
        once()
    ctypes.CDLL(None).malloc.restype = ctypes.c_void_p
    for _ in range(50):
        ctypes.CDLL(None).malloc(123457)  # which the sanitizer has to find, but for the last ones
    """, LD_PRELOAD=library, PYTHONMALLOC="malloc",
               LSAN_OPTIONS="exitcode=0:max_leaks=0:fast_unwind_on_malloc=0")
    assert done.returncode == 0, done.stderr[:3000]
    leaks = done.stderr.split("\n\n")
    sizes = re.findall(r"leak of (\d+) byte\(s\) in (\d+) object", done.stderr)
    lost = sum(int(blocks) for size, blocks in sizes if int(size) == 123457 * int(blocks))
    # the sanitizer does not see a block as lost whose address is left on the stack or in a register
    assert lost > 40, done.stderr[-3000:]
    ours = [leak for leak in leaks if "_core.cpython" in leak and "PyInit__core" not in leak]
    assert not ours, "\n\n".join(ours)[:5000]
