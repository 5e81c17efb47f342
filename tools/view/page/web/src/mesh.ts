// SPDX-License-Identifier: MIT
// The section of a mesh: the picture, its switches, its layers, and what was picked.
import type { MeshData } from './data';
import { unpackBytes, unpackFloats, unpackWords } from './data';
import { ramp } from './color';
import { count, element, section, short } from './dom';
import { meet, nearestVertex } from './geometry';
import { control } from './control';
import { layerList, layerName } from './layers';
import type { Buffers, Shown } from './scene';
import { Scene } from './scene';

async function unpack(mesh: MeshData): Promise<Buffers> {
  const words = (text: string | undefined, lag: number) => (text === undefined ? null : unpackWords(text, lag));
  const floats = (text: string | undefined, lag: number) => (text === undefined ? null : unpackFloats(text, lag));
  const [positions, triangles, edges, normals, texcoords, colors, faces, sources, ...values] = await Promise.all([
    floats(mesh.position, 3), words(mesh.triangle, 3), words(mesh.edge, 2), floats(mesh.normal, 3), floats(mesh.texcoord, 2),
    mesh.color === undefined ? null : unpackBytes(mesh.color), words(mesh.face, 1), words(mesh.source, 1),
    ...mesh.attributes.map(attribute => unpackFloats(attribute.values, 1))]);
  return {
    positions: positions!, triangles: triangles ?? new Uint32Array(), edges: edges ?? new Uint32Array(), normals, texcoords, colors, faces, sources,
    attributes: new Map(mesh.attributes.map((attribute, i): [string, Float32Array] => [attribute.name, values[i]])),
  };
}

/** Returns the bytes that color each vertex by a number of its position. */
function attributeColors(values: Float32Array, buffers: Buffers): Uint8Array {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const n = buffers.positions.length / 3;
  const colors = new Uint8Array(4 * n);
  for (let i = 0; i < n; ++i) {
    const v = values[buffers.sources ? buffers.sources[i] : i];
    colors.set(Number.isFinite(v) ? [...ramp(high > low ? (v - low) / (high - low) : 0.5), 255] : [128, 128, 128, 255], 4 * i);
  }
  return colors;
}

function described(mesh: MeshData): string {
  const parts = [`${count(mesh.filePositions)} positions`, `${count(mesh.fileFaces)} faces`];
  if (mesh.edges > 0) parts.push(`${count(mesh.edges)} edges`);
  if (mesh.decimated) parts.push(`drawn with ${count(mesh.triangles)} triangles`);
  return parts.join(', ');
}

function withoutWebGL(mesh: MeshData, name: string, reason: string): HTMLElement {
  return element('div', { class: 'no-webgl' },
    element('p', { role: 'note' }, `This browser has no WebGL (${reason}), so this is a picture that polycodec has drawn.`),
    mesh.picture ? element('img', { src: mesh.picture, alt: `Picture of ${name}: ${described(mesh)}`, width: 720, height: 480 })
      : element('p', {}, 'There is no picture; the notes say why.'));
}

/** Makes the section. `onReady` is called after the first frame. */
export function meshSection(mesh: MeshData, name: string, onReady: () => void): HTMLElement {
  const canvas = element('canvas', {
    tabindex: 0, role: 'img', 'aria-label': `3-d view of ${name}: ${described(mesh)}`, 'aria-describedby': 'mesh-keys',
  });
  let reason = 'no context';
  canvas.addEventListener('webglcontextcreationerror', event => { reason = (event as WebGLContextEvent).statusMessage || reason; });
  const made = section('mesh', mesh.triangles > 0 ? 'Mesh' : mesh.edges > 0 ? 'Lines' : 'Points', element('p', { class: 'quiet' }, described(mesh)));
  // Many samples of a pixel would slow large meshes down where there is no graphics card.
  const context = canvas.getContext('webgl2', { antialias: mesh.triangles < 200000, alpha: true, premultipliedAlpha: true });
  if (!context) {
    made.append(withoutWebGL(mesh, name, reason));
    onReady();
    return made;
  }
  const stage = element('div', { class: 'stage' }, canvas);
  const side = element('div', { class: 'side' });
  made.append(element('div', { class: 'split mesh' }, stage, side),
    element('p', { id: 'mesh-keys', class: 'quiet' },
      'Drag to orbit, with Shift or the right button to pan, and scroll to zoom. Keys: arrows orbit, Shift and arrows pan, ' +
      '+ and − zoom, W wireframe, N normals, V vertices, F flat, R reset, Enter picks the middle.'));
  canvas.addEventListener('webglcontextlost', () => stage.replaceChildren(withoutWebGL(mesh, name, 'it was lost')), { once: true });
  void unpack(mesh).then(buffers => {
    const hasMaterials = mesh.materials.length > 0;
    const shown: Shown = {
      surface: true, wireframe: false, normals: false, edges: true,
      flat: !mesh.normal && mesh.triangles < 5000,  // few faces without normals have edges that one wants to see
      vertices: mesh.triangles === 0 && mesh.edges === 0,
      color: buffers.colors ? 'vertex' : hasMaterials ? 'material' : 'plain',
    };
    const byName = new Map(mesh.materials.map((material): [string, typeof material] => [material.name, material]));
    const materials = mesh.layers.map(layer => byName.get(mesh.materialNames[layer[2]] ?? '') ?? (mesh.materials.length === 1 && mesh.materials[0].name === '' ? mesh.materials[0] : undefined));
    const scene = new Scene(canvas, buffers, mesh.layers, materials, mesh.images, mesh.yUp, shown);
    const picked = element('div', { class: 'picked', role: 'status', 'aria-label': 'Picked' }, element('p', { class: 'quiet' }, 'Choose a point of the mesh to see its indices and attributes.'));
    side.append(...[switches(scene, mesh, buffers), layerList(scene, mesh), picked].filter(part => part !== null));
    control(scene, canvas, (x, y) => pick(scene, mesh, buffers, x, y, picked));
    const pixel = new Uint8Array(4);
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);  // waits until the frame is drawn
    onReady();
  });
  return made;
}

function switches(scene: Scene, mesh: MeshData, buffers: Buffers): HTMLElement {
  const box = element('fieldset', { class: 'switches' }, element('legend', {}, 'Show'));
  const add = (key: 'surface' | 'wireframe' | 'vertices' | 'normals' | 'edges' | 'flat', label: string) => {
    const input = element('input', { type: 'checkbox', 'data-key': key, checked: scene.shown[key], onchange: () => { scene.shown[key] = input.checked; scene.draw(); } });
    box.append(element('label', {}, input, ` ${label}`));
  };
  if (mesh.triangles > 0) {
    add('surface', 'Surface');
    add('wireframe', 'Wireframe');
    add('flat', 'Flat');
  }
  add('vertices', 'Vertices');
  if (mesh.triangles > 0 || mesh.normal) add('normals', 'Normals');
  if (mesh.edges > 0) add('edges', 'Edges');
  const color = element('select', {
    id: 'mesh-color',
    onchange: () => {
      const value = color.value;
      const values = value.startsWith('a:') ? buffers.attributes.get(value.slice(2)) : undefined;
      scene.shown.color = values ? 'vertex' : value as Shown['color'];
      if (values) scene.setColors(attributeColors(values, buffers));
      else if (value === 'vertex') scene.setColors(buffers.colors!);
      else scene.draw();
    },
  });
  const option = (value: string, label: string, when: boolean) => { if (when) color.append(element('option', { value, selected: scene.shown.color === value }, label)); };
  option('plain', 'One color', true);
  option('vertex', 'Vertex colors', buffers.colors !== null);
  option('material', 'Materials', mesh.materials.length > 0);
  option('layer', 'Layers', mesh.layers.length > 1);
  for (const attribute of buffers.attributes.keys()) option(`a:${attribute}`, attribute, true);
  const up = element('select', { id: 'mesh-up', onchange: () => scene.setUp(up.value === 'y') },
    element('option', { value: 'z', selected: !mesh.yUp }, 'Z is up'), element('option', { value: 'y', selected: mesh.yUp }, 'Y is up'));
  box.append(element('div', { class: 'choice' }, element('label', { for: 'mesh-color' }, 'Color'), color,
    element('label', { for: 'mesh-up' }, 'Up'), up),
    element('button', { class: 'small', onclick: () => scene.fit() }, 'Reset view'));
  return box;
}

function pick(scene: Scene, mesh: MeshData, buffers: Buffers, x: number, y: number, to: HTMLElement): void {
  const [origin, direction] = scene.ray(x, y);
  const { positions, triangles } = buffers;
  const facts = element('dl', { class: 'facts' });
  const fact = (label: string, value: string) => facts.append(element('dt', {}, label), element('dd', {}, value));
  const ranges = mesh.layers.filter((_, i) => scene.visible[i]).map((layer): [number, number] => [layer[3], layer[4]]);
  const hit = scene.shown.surface ? meet(origin, direction, positions, triangles, ranges) : null;
  let vertex = -1;
  if (hit) {
    const corners = [...triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3)];
    const place = origin.map((o, k) => o + hit.at * direction[k]);
    const away = (i: number) => Math.hypot(...place.map((p, k) => p - positions[3 * i + k]));
    vertex = corners.reduce((best, i) => (away(i) < away(best) ? i : best));
    fact('Face', count(buffers.faces ? buffers.faces[hit.triangle] : hit.triangle));
    fact('Corners', corners.map(i => count(buffers.sources ? buffers.sources[i] : i)).join(', '));
    const layer = mesh.layers.findIndex(([, , , first, length]) => hit.triangle >= first && hit.triangle < first + length);
    if (mesh.layers.length > 1 || layerName(mesh, layer) !== 'All faces') fact('Layer', layerName(mesh, layer));
  } else {
    vertex = nearestVertex(origin, direction, positions, 0.02);
  }
  if (vertex < 0) {
    to.replaceChildren(element('p', { class: 'quiet' }, 'There is nothing at this point.'));
    return;
  }
  const source = buffers.sources ? buffers.sources[vertex] : vertex;
  const three = (values: Float32Array, i: number, from = [0, 0, 0]) => [0, 1, 2].map(k => short(values[3 * i + k] + from[k])).join(', ');
  fact('Vertex', count(source));
  fact('Position', three(positions, vertex, mesh.origin));
  if (mesh.normal && buffers.normals) fact('Normal', three(buffers.normals, vertex));
  if (buffers.texcoords) fact('Texture coordinates', `${short(buffers.texcoords[2 * vertex])}, ${short(buffers.texcoords[2 * vertex + 1])}`);
  if (buffers.colors) fact('Color', [...buffers.colors.subarray(4 * vertex, 4 * vertex + 4)].join(', '));
  for (const [name, values] of buffers.attributes) fact(name, short(values[source]));
  to.replaceChildren(element('h3', {}, hit ? 'Picked face' : 'Picked vertex'), facts);
}
