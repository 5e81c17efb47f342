// SPDX-License-Identifier: MIT
// Files that pages are made of.
import { crc32, deflateSync } from 'node:zlib';

/** A binary PLY torus with colors and one more property; `rings` times `sides` vertices. */
export function torus(rings, sides) {
  const header = 'ply\nformat binary_little_endian 1.0\n' +
    `element vertex ${rings * sides}\n${['x', 'y', 'z', 'quality'].map(name => `property float ${name}\n`).join('')}` +
    `${['red', 'green', 'blue'].map(name => `property uchar ${name}\n`).join('')}` +
    `element face ${2 * rings * sides}\nproperty list uchar int vertex_indices\nend_header\n`;
  const vertices = Buffer.alloc(19 * rings * sides), faces = Buffer.alloc(26 * rings * sides);
  for (let i = 0; i < rings; ++i)
    for (let k = 0; k < sides; ++k) {
      const u = 2 * Math.PI * i / rings, v = 2 * Math.PI * k / sides, n = i * sides + k;
      const r = 0.4 + 0.05 * Math.sin(9 * u) * Math.cos(5 * v);
      const place = [(1 + r * Math.cos(v)) * Math.cos(u), (1 + r * Math.cos(v)) * Math.sin(u), r * Math.sin(v), r];
      place.forEach((x, axis) => vertices.writeFloatLE(x, 19 * n + 4 * axis));
      [Math.cos(u), Math.sin(v), Math.sin(u + v)].forEach((c, channel) => vertices.writeUInt8(Math.round(127 + 120 * c), 19 * n + 16 + channel));
      const right = (i + 1) % rings * sides, up = (k + 1) % sides;
      [[n, right + k, right + up], [n, right + up, i * sides + up]].forEach((corners, half) => {
        const at = 26 * n + 13 * half;
        faces.writeUInt8(3, at);
        corners.forEach((corner, c) => faces.writeInt32LE(corner, at + 1 + 4 * c));
      });
    }
  return Buffer.concat([Buffer.from(header), vertices, faces]);
}

/** A PNG image of squares in two colors. */
export function squares(size, side, colors) {
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let y = 0; y < size; ++y)
    for (let x = 0; x < size; ++x)
      rows.set(colors[(Math.floor(x / side) + Math.floor(y / side)) % 2], y * (1 + 3 * size) + 1 + 3 * x);
  const chunk = (type, data) => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const head = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 2, 0, 0, 0]);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** A house on a ground with a texture: three groups with a material each. */
export const houseMaterials = 'newmtl wall\nKd 0.9 0.85 0.7\nnewmtl roof\nKd 0.7 0.2 0.15\nnewmtl floor\nKd 1 1 1\nmap_Kd wood.png\n';
export const house = `mtllib house.mtl
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
v -1 1 -1
v 1 1 -1
v 1 1 1
v -1 1 1
v 0 1.8 -1
v 0 1.8 1
v -2 0 -2
v 2 0 -2
v 2 0 2
v -2 0 2
vt 0 0
vt 4 0
vt 4 4
vt 0 4
g walls
usemtl wall
f 1 5 6 2
f 2 6 7 3
f 3 7 8 4
f 4 8 5 1
f 5 9 6
f 7 10 8
g top
usemtl roof
f 5 8 10 9
f 6 9 10 7
g ground
usemtl floor
f 14/4 13/3 12/2 11/1
l 11 12 13 14
`;

/** Records, a course, an image, a nested list and missing numbers, in text notation. */
export function notation() {
  const course = Array.from({ length: 3000 }, (_, i) => Math.sin(i / 100) + i / 3000);
  const image = Array.from({ length: 24 }, (_, y) => Array.from({ length: 32 }, (_, x) => x * y));
  const records = Array.from({ length: 1200 }, (_, i) => ({ id: i, name: `row ${i}`, weight: i % 7 === 0 ? null : i / 3 }));
  return JSON.stringify({
    type: '{course: 3000 * float64, image: 24 * 32 * float32, records: 1200 * {id: int32, name: string, weight: ?float64}, nested: [[int64]]}'
      .replace('[[int64]]', 'var * var * int64'),
    value: { course, image, records, nested: [[1, 2], [3]] },
  });
}
