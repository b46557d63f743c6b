"""A Debian that has nothing but its base system, in a folder, and commands that run in it. Needs root,
debootstrap and a mirror."""

import os
import pathlib
import shutil
import subprocess

MIRROR = "http://deb.debian.org/debian"
# Mounts that end with the command, in a name space of its own.
ENTER = ('mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && '
         'mount --bind "$2" "$1/var/cache/apt/archives" && shift 2 && exec chroot "$@"')


class CleanRoot:
    """A fresh copy of the base system. What was downloaded for it stays in `folder` for the next one."""

    def __init__(self, folder, mirror=MIRROR):
        self.folder = pathlib.Path(folder).resolve()
        self.path = self.folder / "root"
        self.archives = self.folder / "archives"
        (self.archives / "partial").mkdir(parents=True, exist_ok=True)
        base = self.folder / "base"
        if not base.exists():
            made = self.folder / "base.partial"
            self.remove(made)
            subprocess.run(["debootstrap", "--variant=minbase", "bookworm", made, mirror], check=True)
            made.rename(base)
        self.remove(self.path)
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.path], check=True)
        # no service may start, and packages are kept
        (self.path / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.path / "usr/sbin/policy-rc.d").chmod(0o755)
        (self.path / "etc/apt/apt.conf.d/50kept").write_text(
            'Binary::apt::APT::Keep-Downloaded-Packages "true";\nAPT::Sandbox::User "root";\n')
        for file in ("resolv.conf", "hosts"):
            shutil.copyfile(f"/etc/{file}", self.path / "etc" / file)

    @staticmethod
    def remove(path):
        """Mounts of other name spaces are not seen here, so that nothing but the folder goes."""
        subprocess.run(["rm", "-rf", "--one-file-system", path], check=True)

    def run(self, *words, environment=None, **options):
        """Runs a command in the root as its only processes; gives what subprocess.run does."""
        kept = {name: os.environ[name] for name in os.environ if name.lower().endswith("_proxy")}
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", **kept, **(environment or {})}
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
                               ENTER, "sh", self.path, self.archives, self.path, *map(str, words)],
                              env=environment, stdin=subprocess.DEVNULL, text=True, **options)

    def install(self, *packages, recommends=False):
        self.run("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "update", check=True)
        self.run("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "install", "--yes",
                 f"--{'' if recommends else 'no-'}install-recommends", *packages, check=True,
                 stdout=subprocess.DEVNULL)

    def copy(self, source, place):
        """Copies a file or folder to a place in the root."""
        target = self.path / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy2)(
            source, target, **({"ignore": shutil.ignore_patterns("__pycache__", "*.db*")}
                               if source.is_dir() else {}))
