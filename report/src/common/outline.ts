import { Box3, type BufferGeometry, type Object3D, type OrthographicCamera, Vector3 } from "three";

export const cornersOf = ({ min, max }: Box3): Vector3[] => [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
  new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z));

/** The corners of the boxes of all that is shown in an object, in world axes. */
export function shownCorners(object: Object3D, out: Vector3[]): void {
  if (!object.visible) return;
  const geometry = (object as Object3D & { geometry?: BufferGeometry }).geometry;
  if (geometry !== undefined) {
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    for (const corner of cornersOf(geometry.boundingBox!)) out.push(corner.applyMatrix4(object.matrixWorld));
  }
  for (const child of object.children) shownCorners(child, out);
}

/** What lies right and what lies above in a picture of a camera that looks against `towards`. */
export function axesOfPicture(towards: Vector3): { right: Vector3; above: Vector3 } {
  const right = new Vector3(0, 0, 1).cross(towards).normalize();
  return { right, above: towards.clone().cross(right) };
}

/** From where to where places reach along a direction. */
export function reach(places: Vector3[], direction: Vector3): [number, number] {
  const range: [number, number] = [Infinity, -Infinity];
  for (const place of places) {
    const at = place.dot(direction);
    range[0] = Math.min(range[0], at);
    range[1] = Math.max(range[1], at);
  }
  return range;
}

/** Room in a picture around what it shows, in pixels; below are the names of mechanisms. */
export interface Room {
  width: number;
  height: number;
  side: number;
  top: number;
  bottom: number;
}

/** Places a camera that looks against `towards` so that the room shows all places as large as it can.
 * Returns what the camera turns about, and how many metres are a pixel. */
export function fit(
  camera: OrthographicCamera, towards: Vector3, places: Vector3[], room: Room,
): { centre: Vector3; metres: number } {
  const { right, above } = axesOfPicture(towards);
  const [left, most] = reach(places, right);
  const [low, high] = reach(places, above);
  const [back, front] = reach(places, towards);
  const radius = Math.max(new Box3().setFromPoints(places).getSize(new Vector3()).length() / 2, 1e-6);
  const metres = Math.max((most - left) / Math.max(room.width - 2 * room.side, 1),
    (high - low) / Math.max(room.height - room.top - room.bottom, 1), 1e-9);
  const centre = right.multiplyScalar((left + most) / 2)
    .addScaledVector(above, (low + high) / 2 + (metres * (room.top - room.bottom)) / 2)
    .addScaledVector(towards, (back + front) / 2);
  camera.position.copy(centre).addScaledVector(towards, 20 * radius);
  camera.near = radius / 10;
  camera.far = 60 * radius;
  camera.zoom = 1;
  return { centre, metres };
}
