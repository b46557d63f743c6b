"""The arm of arm_files.py, let go above its floor: its fall by hand and by a simple integrator."""

import math

FLOOR = math.asin(0.8)  # the angle at which the mount, 0.1 m from the joint, is 0.08 m below it


class Pendulum:
    def __init__(self, rate, weight, restitution):
        self.rate, self.weight, self.restitution = rate, weight, restitution
        self.inertia = 0.02 + weight * 0.2**2

    def torque(self, q):
        """Gravity and the spring about the shoulder, downwards positive."""
        x, z = 0.1 * math.cos(q), -0.1 * math.sin(q)
        length = math.hypot(x, z - 0.3)
        slope = (x * z + (z - 0.3) * -x) / length
        return (self.weight * 9.81 * 0.2 * math.cos(q) - self.rate * (length - 0.1) * slope)

    def stepped(self, q, v, h):
        """A step of the classical Runge-Kutta method."""
        def slope(state):
            return state[1], self.torque(state[0]) / self.inertia
        k1 = slope((q, v))
        k2 = slope((q + h / 2 * k1[0], v + h / 2 * k1[1]))
        k3 = slope((q + h / 2 * k2[0], v + h / 2 * k2[1]))
        k4 = slope((q + h * k3[0], v + h * k3[1]))
        return (q + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]),
                v + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]))

    def fall(self, q, v, duration, h=2e-4, rest=1e-4):
        """The states at multiples of h, and times and speeds of the impacts on the floor. A rebound
        of the mount that is slower than `rest` ends there."""
        states, impacts = [(q, v)], []
        resting = False
        for step in range(round(duration / h)):
            t = 0.0  # within the step
            while not resting:
                q1, v1 = self.stepped(q, v, h - t)
                if q1 <= FLOOR:
                    q, v = q1, v1
                    break
                low, high = 0.0, h - t
                for _ in range(60):
                    middle = (low + high) / 2
                    low, high = ((low, middle) if self.stepped(q, v, middle)[0] > FLOOR
                                 else (middle, high))
                t += high
                v = self.stepped(q, v, high)[1]
                q = FLOOR
                impacts.append((step * h + t, v))
                v *= -self.restitution
                resting = abs(v) * 0.1 * math.cos(FLOOR) < rest
            states.append((FLOOR, 0.0) if resting else (q, v))
        return states, impacts

    def metrics(self, q, v, duration, h=2e-4):
        """What a study keeps of the fall, for the mount and the floor."""
        states, impacts = self.fall(q, v, duration, h)
        arm = 0.1 * math.cos(FLOOR)
        low = [-0.1 * math.sin(angle) for angle, _ in states] + [-0.08] * bool(impacts)
        speeds = [abs(speed) for _, speed in states] + [abs(speed) for _, speed in impacts]
        return {
            "upper.mount.drop": -0.1 * math.sin(q) - min(low),
            "upper.mount.max_speed": 0.1 * max(speeds),
            "floor.max_impact_speed": max((arm * speed for _, speed in impacts), default=0.0),
            "floor.max_impulse": max((self.inertia * speed * (1 + self.restitution) / arm
                                      for _, speed in impacts), default=0.0),
            "energy_lost": sum(self.inertia / 2 * speed**2 * (1 - self.restitution**2)
                               for _, speed in impacts),
            "settled": h * (1 + max((k for k, (_, speed) in enumerate(states)
                                     if abs(speed) > 1e-3), default=-1))}
