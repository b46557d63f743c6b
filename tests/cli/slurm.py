"""A Slurm cluster of two nodes on this machine, on the loopback device only."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess

DAEMONS = ("munged", "slurmctld", "slurmd")
CONFIGURATION = """
ClusterName=counterpoise
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 State=UNKNOWN
PartitionName=work Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def what_lacks():
    """Why there can be no cluster here; empty if there can."""
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    lacking = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=path)]
    if lacking:
        return f"{', '.join(lacking)} is not installed"
    return "" if os.geteuid() == 0 else "it needs root"


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    """Starts the daemons in a folder, and ends them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": os.environ["PATH"] + ":/usr/sbin"}
        for name in ("munge", "state", "spool-n1", "spool-n2"):
            (self.folder / name).mkdir(mode=0o700)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname(), folder=self.folder, ports=free_ports(3)))
        munge = [f"--{what}={self.folder}/munge/{name}" for what, name in
                 (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                  ("log-file", "log"), ("seed-file", "seed"))]
        self.call("munged", "--force", *munge)
        self.call("slurmctld", "-c")
        for node in ("n1", "n2"):
            self.call("slurmd", "-N", node)
        self.call("srun", "--nodes=2", "true")  # waits until both answer

    def call(self, *command, **options):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True,
                              timeout=300, **options)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def pid_of(self, file):
        return int((self.folder / file).read_text())

    def queue(self):
        """The numbers of all tasks that wait or run."""
        return self.call("squeue", "--noheader", "--array", "--format=%i").split()

    def end(self):
        with contextlib.suppress(AssertionError):
            self.call("scancel", "--user=root", "--full", "--signal=KILL")
            self.call("scancel", "--user=root")
        for file in ("slurmd-n1.pid", "slurmd-n2.pid", "slurmctld.pid", "munge/pid"):
            with contextlib.suppress(OSError, ValueError):
                os.kill(self.pid_of(file), signal.SIGKILL)
        subprocess.run(["pkill", "-KILL", "-f", f"slurmstepd.*{self.folder}"], check=False)
