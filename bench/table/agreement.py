"""Whether contestants give the same answers. Nothing is timed before they do."""

import math

TOLERANCE = 1e-9  # of a joint's largest force
MUJOCO_TOLERANCE = 5e-9  # rounds the inertia of its model, and has no massless bodies that move


def tolerance_of(contestant):
    return MUJOCO_TOLERANCE if contestant.peer.startswith("MuJoCo") else TOLERANCE


def disagreement(joints, expected, found):
    """The largest difference of joint forces, over the largest force of the same joint."""
    if len(found) != len(expected) or not all(map(math.isfinite, found)):
        return math.inf
    worst = 0.0
    for joint in range(joints):
        pairs = list(zip(expected[joint::joints], found[joint::joints]))
        largest = max(abs(ours) for ours, _ in pairs)
        difference = max(abs(ours - theirs) for ours, theirs in pairs)
        if difference > 0.0:
            worst = max(worst, difference / largest if largest > 0.0 else math.inf)
    return worst


def check(contestants, trees, samples, designs=(0, 1)):
    """Pairs (contestant, tree) -> disagreement, for those that can do the tree. Ends the program
    when one of them disagrees with the first contestant."""
    agreed = {}
    wrong = []
    for tree in trees:
        for design in designs:
            expected = contestants[0].torques(tree, design)
            joints = len(expected) // samples
            for contestant in contestants:
                found = contestant.torques(tree, design)
                if found is None:
                    continue
                worst = disagreement(joints, expected, found)
                place = (contestant, tree)
                agreed[place] = max(agreed.get(place, 0.0), worst)
                if not worst <= tolerance_of(contestant):
                    wrong.append(f"{contestant.label} on {tree}, design {design}: joint forces "
                                 f"differ by {worst:.1e} of the largest")
    if wrong:
        raise SystemExit("Contestants disagree; nothing is timed.\n" + "\n".join(wrong))
    return agreed
