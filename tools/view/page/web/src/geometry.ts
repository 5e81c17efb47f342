// SPDX-License-Identifier: MIT
// What is computed of a mesh in the browser: normals, edges of faces, and what a ray meets.

export type Vector = [number, number, number];

/** Returns a unit normal of each vertex, from the triangles around it. */
export function normalsOf(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    if (!(x * x + y * y + z * z > 0)) continue;
    normals[a] += x; normals[a + 1] += y; normals[a + 2] += z;
    normals[b] += x; normals[b + 1] += y; normals[b + 2] += z;
    normals[c] += x; normals[c + 1] += y; normals[c + 2] += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    if (length > 0) { normals[i] /= length; normals[i + 1] /= length; normals[i + 2] /= length; }
  }
  return normals;
}

/** Returns the lines around faces. A line that two triangles of one face share is not one of them. */
export function faceEdges(triangles: Uint32Array, faces: Uint32Array | null): Uint32Array {
  const lines = new Uint32Array(triangles.length * 2);
  let n = 0;
  const inner = new Set<string>();
  for (let first = 0; first < triangles.length;) {
    let end = first + 3;
    while (faces && end < triangles.length && faces[end / 3] === faces[first / 3]) end += 3;
    inner.clear();
    for (let t = first; end - first > 3 && t < end; t += 3)
      for (let k = 0; k < 3; ++k) inner.add(`${triangles[t + k]} ${triangles[t + (k + 1) % 3]}`);
    for (let t = first; t < end; t += 3)
      for (let k = 0; k < 3; ++k) {
        const a = triangles[t + k], b = triangles[t + (k + 1) % 3];
        if (end - first > 3 && inner.has(`${b} ${a}`)) continue;
        lines[n++] = a;
        lines[n++] = b;
      }
    first = end;
  }
  return lines.subarray(0, n);
}

/** Returns the nearest triangle of the given ranges that a ray meets, with its distance. */
export function meet(origin: Vector, direction: Vector, positions: Float32Array, triangles: Uint32Array,
  ranges: [number, number][]): { triangle: number; at: number } | null {
  const [ox, oy, oz] = origin, [dx, dy, dz] = direction;
  let found = -1, nearest = Infinity;
  for (const [first, length] of ranges)
    for (let t = 3 * first; t < 3 * (first + length); t += 3) {
      const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
      const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
      const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
      const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
      const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
      const determinant = ux * px + uy * py + uz * pz;
      if (determinant === 0) continue;
      const sx = ox - ax, sy = oy - ay, sz = oz - az;
      const u = (sx * px + sy * py + sz * pz) / determinant;
      if (!(u >= 0 && u <= 1)) continue;
      const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
      const v = (dx * qx + dy * qy + dz * qz) / determinant;
      if (!(v >= 0 && u + v <= 1)) continue;
      const at = (vx * qx + vy * qy + vz * qz) / determinant;
      if (at > 0 && at < nearest) { nearest = at; found = t / 3; }
    }
  return found < 0 ? null : { triangle: found, at: nearest };
}

/** Returns the vertex that is nearest to a ray, if it is within `reach` for each unit of distance. */
export function nearestVertex(origin: Vector, direction: Vector, positions: Float32Array, reach: number): number {
  let found = -1, best = reach;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - origin[0], y = positions[i + 1] - origin[1], z = positions[i + 2] - origin[2];
    const along = x * direction[0] + y * direction[1] + z * direction[2];
    if (!(along > 0)) continue;
    const off = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along)) / along;
    if (off < best) { best = off; found = i / 3; }
  }
  return found;
}

/** Returns triangles between vertices that stand for all vertices of their cell in a grid, for each of the given ranges. */
export function coarse(positions: Float32Array, triangles: Uint32Array, middle: Vector, size: number, cells: number,
  ranges: [number, number][]): { triangles: Uint32Array; ranges: [number, number][] } {
  const first = new Map<number, number>();
  const standIn = new Uint32Array(positions.length / 3);
  const cell = (i: number, k: number) => Math.floor((positions[3 * i + k] - middle[k] + size) / (2 * size) * cells);
  for (let i = 0; i < standIn.length; ++i) {
    const place = (cell(i, 0) * 2048 + cell(i, 1)) * 2048 + cell(i, 2);
    const known = first.get(place);
    standIn[i] = known ?? i;
    if (known === undefined) first.set(place, i);
  }
  const kept = new Uint32Array(triangles.length);
  let n = 0;
  const made = ranges.map(([from, length]): [number, number] => {
    const start = n;
    for (let t = 3 * from; t < 3 * (from + length); t += 3) {
      const a = standIn[triangles[t]], b = standIn[triangles[t + 1]], c = standIn[triangles[t + 2]];
      if (a === b || b === c || a === c) continue;
      kept[n++] = a;
      kept[n++] = b;
      kept[n++] = c;
    }
    return [start / 3, (n - start) / 3];
  });
  return { triangles: kept.slice(0, n), ranges: made };
}

/**
 * Returns the distance from which all positions are in the picture, whose middle is `middle`. The viewer is in the direction
 * `near` from there. `wide` and `high` are half of the picture at a distance of 1.
 */
export function farEnough(positions: Float32Array, middle: Vector, near: Vector, yUp: boolean, wide: number, high: number): number {
  const length = Math.hypot(near[0], yUp ? near[2] : near[1]);
  const right: Vector = yUp ? [near[2] / length, 0, -near[0] / length] : [-near[1] / length, near[0] / length, 0];
  const top: Vector = [near[1] * right[2] - near[2] * right[1], near[2] * right[0] - near[0] * right[2], near[0] * right[1] - near[1] * right[0]];
  let far = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - middle[0], y = positions[i + 1] - middle[1], z = positions[i + 2] - middle[2];
    const needed = x * near[0] + y * near[1] + z * near[2] + Math.max(
      Math.abs(x * right[0] + y * right[1] + z * right[2]) / wide, Math.abs(x * top[0] + y * top[1] + z * top[2]) / high);
    if (needed > far && needed !== Infinity) far = needed;
  }
  return far;
}
