// SPDX-License-Identifier: MIT
// Files of three.js in the current directory: a box with materials, and one with colors of vertices.
import * as THREE from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { OBJExporter } from "three/examples/jsm/exporters/OBJExporter.js";
import { PLYExporter } from "three/examples/jsm/exporters/PLYExporter.js";
import { STLExporter } from "three/examples/jsm/exporters/STLExporter.js";
import fs from "fs";

// What the exporters want of a browser.
globalThis.requestAnimationFrame = (call) => setTimeout(call, 0);
globalThis.FileReader = class {
  async read(blob, made) {
    const bytes = await blob.arrayBuffer();
    this.result = made(bytes);
    this.onloadend?.();
  }
  readAsArrayBuffer(blob) {
    this.read(blob, (bytes) => bytes);
  }
  readAsDataURL(blob) {
    const kind = blob.type || "application/octet-stream";
    this.read(blob, (bytes) => `data:${kind};base64,${Buffer.from(bytes).toString("base64")}`);
  }
};

const box = new THREE.BoxGeometry(1, 2, 3);
const material = (i, more) =>
  new THREE.MeshStandardMaterial({ name: `m${i}`, metalness: 0.25 * i, roughness: 0.5, ...more });
const materials = [
  material(0, { color: 0xcc3333, emissive: 0x112200 }),
  material(1, { color: 0x33cc66, side: THREE.DoubleSide }),
  material(2, { color: 0x3333cc, transparent: true, opacity: 0.5 }),
  material(3, { color: 0xffffff, alphaTest: 0.25 }),
];
const mesh = new THREE.Mesh(box, [0, 0, 1, 1, 2, 3].map((i) => materials[i]));
mesh.name = "box";
mesh.position.set(0.5, 1, -2);
mesh.scale.set(2, 1, 1);
const scene = new THREE.Scene();
scene.add(mesh);
scene.updateMatrixWorld(true);
const save = (name, data) => fs.writeFileSync(name, typeof data === "string" ? data : Buffer.from(data));
const gltf = async (name, binary) => {
  const made = await new GLTFExporter().parseAsync(scene, { binary });
  save(name, binary ? made : JSON.stringify(made));
};
await gltf("scene.glb", true);
await gltf("scene.gltf", false);
save("scene.obj", new OBJExporter().parse(scene));
save("scene.stl", new STLExporter().parse(scene, { binary: true }).buffer);
save("ascii.stl", new STLExporter().parse(scene));

const count = box.attributes.position.count;
const colors = Float32Array.from({ length: 3 * count }, (_, i) => (i % 6) / 5);
box.setAttribute("color", new THREE.BufferAttribute(colors, 3));
mesh.material = new THREE.MeshStandardMaterial({ name: "colors", vertexColors: true });
await gltf("colors.glb", true);
save("colors.ply", new PLYExporter().parse(scene, () => {}, { binary: true }));
save("ascii.ply", new PLYExporter().parse(scene, () => {}, {}));
save("colors.obj", new OBJExporter().parse(scene));
