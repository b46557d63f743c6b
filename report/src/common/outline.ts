import { Box3, type BufferGeometry, type Object3D, type PerspectiveCamera, Vector3 } from "three";

/** The corners of the boxes of all that is shown in an object, in world axes. */
export function cornersOf(object: Object3D, out: Vector3[]): void {
  if (!object.visible) return;
  const geometry = (object as Object3D & { geometry?: BufferGeometry }).geometry;
  if (geometry !== undefined) {
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    for (let corner = 0; corner < 8; ++corner)
      out.push(new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z)
        .applyMatrix4(object.matrixWorld));
  }
  for (const child of object.children) cornersOf(child, out);
}

/** Room around a picture, as a share of it. */
const margin = 0.04;

/** Places a camera that looks against `towards` as near as shows all places, and returns what it
 * turns about. Each edge of the picture is a plane through the camera: the place that lies farthest
 * beyond each of them decides. */
export function fit(camera: PerspectiveCamera, towards: Vector3, places: Vector3[]): Vector3 {
  const right = new Vector3(0, 0, 1).cross(towards).normalize();
  const above = towards.clone().cross(right);
  const tangent = (1 - margin) * Math.tan((camera.fov * Math.PI) / 360);
  const [wide, tall] = [tangent * camera.aspect, tangent];
  const most = { right: -Infinity, left: -Infinity, top: -Infinity, bottom: -Infinity };
  const along = { low: Infinity, high: -Infinity };
  for (const place of places) {
    const [x, y, z] = [place.dot(right), place.dot(above), place.dot(towards)];
    most.right = Math.max(most.right, x + wide * z);
    most.left = Math.max(most.left, -x + wide * z);
    most.top = Math.max(most.top, y + tall * z);
    most.bottom = Math.max(most.bottom, -y + tall * z);
    along.low = Math.min(along.low, z);
    along.high = Math.max(along.high, z);
  }
  const radius = Math.max(new Box3().setFromPoints(places).getSize(new Vector3()).length() / 2, 1e-6);
  const near = Math.max((most.right + most.left) / (2 * wide), (most.top + most.bottom) / (2 * tall),
    along.high + radius / 5);
  const middle = (along.low + along.high) / 2;
  const centre = right.multiplyScalar((most.right - most.left) / 2)
    .addScaledVector(above, (most.top - most.bottom) / 2).addScaledVector(towards, middle);
  camera.position.copy(centre).addScaledVector(towards, near - middle);
  camera.near = radius / 100;
  camera.far = near - middle + radius * 30;
  camera.updateProjectionMatrix();
  return centre;
}
