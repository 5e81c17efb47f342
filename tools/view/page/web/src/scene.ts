// SPDX-License-Identifier: MIT
// The picture of a mesh: what is drawn with WebGL, and from where it is seen.
import { Camera, Geometry, Mesh, Program, Renderer, Texture, Transform, Vec3 } from 'ogl';
import type { AttributeMap, OGLRenderingContext } from 'ogl';
import type { Vector } from './geometry';
import { coarse, faceEdges, farEnough, normalsOf } from './geometry';
import type { Layer, Material } from './data';
import { layerColor } from './color';
import { fragmentShader, vertexShader } from './shaders';

/** The buffers of a mesh, unpacked. */
export interface Buffers {
  positions: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  normals: Float32Array | null;
  texcoords: Float32Array | null;
  colors: Uint8Array | null;
  faces: Uint32Array | null;
  sources: Uint32Array | null;
  attributes: Map<string, Float32Array>;
}

/** What is switched on. */
export interface Shown {
  surface: boolean;
  wireframe: boolean;
  vertices: boolean;
  normals: boolean;
  edges: boolean;
  flat: boolean;
  color: 'plain' | 'vertex' | 'material' | 'layer';
}

const mostMoving = 200_000;  // triangles that are drawn while the view moves, so that it follows at once without a graphics card
const rest = 300;  // milliseconds after which a view that was moved is drawn in full

const fov = 35;  // degrees from the lower to the upper edge
const plain: Vector = [0.45, 0.62, 0.80];

export class Scene {
  readonly size: number;  // of the mesh, from its middle
  readonly middle: Vector;
  readonly visible: boolean[];
  shown: Shown;
  yaw = 0.6;
  pitch = 0.42;
  distance = 1;
  frames = 0;
  onFrame: (() => void) | null = null;
  private target = new Vec3();
  private yUp: boolean;
  private readonly gl: OGLRenderingContext;
  private readonly renderer: Renderer;
  private readonly camera: Camera;
  private readonly root = new Transform();
  private readonly shared: AttributeMap = {};
  private readonly surfaces: Mesh[] = [];
  private moving: Mesh[] | null = null;  // what stands for the surfaces while the view moves
  private isMoving = false;
  private timer = 0;
  private readonly textures = new Map<number, Texture>();
  private wireframe: Mesh | null = null;
  private arrows: Mesh | null = null;
  private edges: Mesh | null = null;
  private readonly points: Mesh;
  private isDue = false;

  constructor(private readonly canvas: HTMLCanvasElement, readonly buffers: Buffers, private readonly layers: Layer[],
    private readonly materials: (Material | undefined)[], private readonly images: string[], yUp: boolean, shown: Shown) {
    this.renderer = new Renderer({ canvas, dpr: Math.min(devicePixelRatio, 2), antialias: true, alpha: true, premultipliedAlpha: true });
    this.gl = this.renderer.gl;
    this.camera = new Camera(this.gl, { fov });
    this.yUp = yUp;
    this.shown = shown;
    this.visible = layers.map(() => true);
    [this.middle, this.size] = this.extents();
    const n = buffers.positions.length / 3;
    this.shared.position = { size: 3, data: buffers.positions };
    buffers.normals ??= buffers.triangles.length > 0 ? normalsOf(buffers.positions, buffers.triangles) : new Float32Array(3 * n);
    this.shared.normal = { size: 3, data: buffers.normals };
    this.shared.color = { size: 4, data: buffers.colors ?? new Uint8Array(4 * n).fill(255), type: this.gl.UNSIGNED_BYTE, normalized: true };
    if (buffers.texcoords) this.shared.uv = { size: 2, data: buffers.texcoords };
    const index = { data: buffers.triangles };
    layers.forEach(([, , , first, length], i) => {
      const geometry = new Geometry(this.gl, { ...this.shared, index });
      geometry.setDrawRange(3 * first, 3 * length);
      const surface = new Mesh(this.gl, { geometry, program: this.program(i), frustumCulled: false });
      surface.setParent(this.root);
      this.surfaces.push(surface);
    });
    this.points = this.addMesh(new Geometry(this.gl, { ...this.shared }), this.gl.POINTS, [0.2, 0.22, 0.25]);
    this.points.program.uniforms.isRound.value = 1;
    this.points.program.uniforms.pointSize.value = n > 200000 ? 1.5 : n > 5000 ? 3 : 6;
    if (buffers.edges.length > 0)
      this.edges = this.addMesh(new Geometry(this.gl, { ...this.shared, index: { data: buffers.edges } }), this.gl.LINES, [0.85, 0.35, 0.15]);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.fit();
    this.resize();
  }

  private extents(): [Vector, number] {
    const low: Vector = [Infinity, Infinity, Infinity], high: Vector = [-Infinity, -Infinity, -Infinity];
    const p = this.buffers.positions;
    for (let i = 0; i < p.length; i += 3)
      for (let k = 0; k < 3; ++k) {
        const x = p[i + k];
        if (x < low[k]) low[k] = x;
        if (x > high[k] && x !== Infinity) high[k] = x;
      }
    for (let k = 0; k < 3; ++k) if (!Number.isFinite(low[k]) || !Number.isFinite(high[k])) low[k] = high[k] = 0;
    const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2 || 1;
    return [[(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2], size];
  }

  private program(layer: number, color: Vector = plain): Program {
    const material = layer < 0 ? undefined : this.materials[layer];
    const isTextured = material?.texture !== undefined && this.buffers.texcoords !== null;
    const define = isTextured ? '#version 300 es\n#define TEXTURED' : '#version 300 es';
    const opacity = material?.opacity ?? 1;
    return new Program(this.gl, {
      vertex: vertexShader.replace('#version 300 es', define), fragment: fragmentShader.replace('#version 300 es', define),
      cullFace: false, transparent: true,
      depthWrite: opacity > 0.99,
      uniforms: {
        base: { value: [...color, 1] }, usesTint: { value: 0 }, usesLight: { value: layer < 0 ? 0 : 1 }, isFlat: { value: 0 },
        isRound: { value: 0 }, pointSize: { value: 1 }, nearer: { value: layer < 0 ? 0.0002 : 0 },
        ...(isTextured ? { image: { value: this.texture(material!.texture!) } } : {}),
      },
    });
  }

  private texture(number: number): Texture {
    const known = this.textures.get(number);
    if (known) return known;
    const white = { image: new Uint8Array([255, 255, 255, 255]), width: 1, height: 1, generateMipmaps: false };
    const made = new Texture(this.gl, { ...white, wrapS: this.gl.REPEAT, wrapT: this.gl.REPEAT, minFilter: this.gl.LINEAR });
    this.textures.set(number, made);
    const image = new Image();
    image.onload = () => {
      made.generateMipmaps = true;
      made.minFilter = this.gl.LINEAR_MIPMAP_LINEAR;
      made.image = image;
      made.width = image.naturalWidth;
      made.height = image.naturalHeight;
      this.canvas.dataset.textures = String(Number(this.canvas.dataset.textures ?? 0) + 1);
      this.draw();
    };
    image.src = this.images[number];
    return made;
  }

  private addMesh(geometry: Geometry, mode: number, color: Vector): Mesh {
    const made = new Mesh(this.gl, { geometry, program: this.program(-1, color), mode, frustumCulled: false });
    made.setParent(this.root);
    return made;
  }

  /** Colors each vertex by these bytes: red, green, blue and alpha. */
  setColors(colors: Uint8Array): void {
    const attribute = this.shared.color;
    attribute.data = colors;
    attribute.needsUpdate = true;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, attribute.buffer!);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, colors, this.gl.STATIC_DRAW);
    this.gl.renderer.state.boundBuffer = null as never;
    this.draw();
  }

  /** Puts all of the mesh into the picture, seen from its usual side. */
  fit(): void {
    this.yaw = 0.6;
    this.pitch = 0.42;
    this.target.set(...this.middle);
    const box = this.canvas.parentElement!.getBoundingClientRect();
    const high = 0.92 * Math.tan(fov / 2 * Math.PI / 180), wide = high * (box.height > 0 ? box.width / box.height : 1);
    this.distance = Math.max(this.size * 0.1, farEnough(this.buffers.positions, this.middle, this.away(), this.yUp, wide, high));
    this.draw();
  }

  setUp(yUp: boolean): void {
    this.yUp = yUp;
    this.fit();
  }

  orbit(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -1.56), 1.56);
    this.move();
  }

  zoom(factor: number): void {
    this.distance = Math.min(Math.max(this.distance * factor, this.size * 1e-4), this.size * 1e3);
    this.move();
  }

  /** Moves sideways and up, in shares of the picture's height. */
  pan(right: number, up: number): void {
    const m = this.camera.worldMatrix;
    const scale = this.distance * Math.tan(fov / 2 * Math.PI / 180) * 2;
    for (let k = 0; k < 3; ++k) this.target[k] += (m[k] * right + m[4 + k] * up) * scale;
    this.move();
  }

  private resize(): void {
    const box = this.canvas.parentElement!.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    this.renderer.setSize(box.width, box.height);
    this.camera.perspective({ aspect: box.width / box.height });
    this.drawNow();
  }

  /** Where the viewer is from the target. */
  private away(): Vector {
    const flat = Math.cos(this.pitch), high = Math.sin(this.pitch);
    return this.yUp ? [flat * Math.sin(this.yaw), high, flat * Math.cos(this.yaw)]
      : [flat * Math.sin(this.yaw), -flat * Math.cos(this.yaw), high];
  }

  private place(): void {
    const away = this.away();
    this.camera.up.set(0, this.yUp ? 1 : 0, this.yUp ? 0 : 1);
    this.camera.position.set(this.target[0] + away[0] * this.distance, this.target[1] + away[1] * this.distance, this.target[2] + away[2] * this.distance);
    this.camera.lookAt(this.target);
    const reach = this.size * 1.2 + Math.hypot(...this.middle.map((x, k) => x - this.target[k]));
    this.camera.perspective({ near: Math.max(this.distance - reach, this.distance / 1000), far: this.distance + reach });
  }

  /** Returns where a ray through a pixel of the canvas starts and where it leads. */
  ray(x: number, y: number): [Vector, Vector] {
    this.place();
    this.camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect();
    const to = new Vec3(2 * x / box.width - 1, 1 - 2 * y / box.height, 0.5);
    this.camera.unproject(to);
    const from = this.camera.position;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    return [[from[0], from[1], from[2]], [0, 1, 2].map(k => (to[k] - from[k]) / length) as Vector];
  }

  /** Draws a moved view, first with fewer triangles where there are many. */
  private move(): void {
    if (this.buffers.triangles.length > 3 * mostMoving && this.shown.surface) {
      this.moving ??= this.makeMoving();
      this.isMoving = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.isMoving = false; this.draw(); }, rest);
    }
    this.draw();
  }

  private makeMoving(): Mesh[] {
    const { positions, triangles } = this.buffers;
    const made = coarse(positions, triangles, this.middle, this.size, 160, this.layers.map((layer): [number, number] => [layer[3], layer[4]]));
    const index = { data: made.triangles };
    return made.ranges.map(([first, length], i) => {
      const geometry = new Geometry(this.gl, { ...this.shared, index });
      geometry.setDrawRange(3 * first, 3 * length);
      const mesh = new Mesh(this.gl, { geometry, program: this.surfaces[i].program, frustumCulled: false });
      mesh.setParent(this.root);
      return mesh;
    });
  }

  /** Draws before the browser shows its next frame. */
  draw(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    this.isDue = false;
    this.place();
    const { shown } = this;
    this.surfaces.forEach((surface, i) => {
      const isVisible = shown.surface && this.visible[i];
      surface.visible = isVisible && !this.isMoving;
      if (this.moving) this.moving[i].visible = isVisible && this.isMoving;
      const { uniforms } = surface.program;
      const material = this.materials[i];
      const usesMaterial = shown.color === 'material';
      const color = shown.color === 'layer' ? layerColor(i) : usesMaterial && material?.color ? material.color
        : usesMaterial && material?.texture !== undefined ? [1, 1, 1] : plain;
      uniforms.base.value = [...color, usesMaterial ? material?.opacity ?? 1 : 1];
      uniforms.usesTint.value = shown.color === 'vertex' ? 1 : 0;
      uniforms.isFlat.value = shown.flat ? 1 : 0;
    });
    if (shown.wireframe && !this.wireframe)
      this.wireframe = this.addMesh(new Geometry(this.gl, { ...this.shared, index: { data: faceEdges(this.buffers.triangles, this.buffers.faces) } }), this.gl.LINES, [0.12, 0.14, 0.18]);
    if (shown.normals && !this.arrows) this.arrows = this.makeArrows();
    if (this.wireframe) this.wireframe.visible = shown.wireframe && !this.isMoving;
    if (this.arrows) this.arrows.visible = shown.normals;
    if (this.edges) this.edges.visible = shown.edges;
    this.points.visible = shown.vertices;
    this.points.program.uniforms.usesTint.value = shown.color === 'vertex' ? 1 : 0;
    this.renderer.render({ scene: this.root, camera: this.camera, sort: false, frustumCull: false });
    ++this.frames;
    this.canvas.dataset.frames = String(this.frames);
    this.onFrame?.();
  }

  /** Lines from vertices along their normals, of 20,000 vertices at most. */
  private makeArrows(): Mesh {
    const { positions, normals } = this.buffers;
    const n = positions.length / 3;
    const step = Math.max(1, Math.ceil(n / 20000));
    const ends = new Float32Array(6 * Math.ceil(n / step));
    for (let i = 0, to = 0; i < n; i += step)
      for (let end = 0; end < 2; ++end)
        for (let k = 0; k < 3; ++k) ends[to++] = positions[3 * i + k] + end * 0.04 * this.size * normals![3 * i + k];
    const count = ends.length / 3;
    return this.addMesh(new Geometry(this.gl, {
      position: { size: 3, data: ends }, normal: { size: 3, data: new Float32Array(ends.length) },
      color: { size: 4, data: new Uint8Array(4 * count).fill(255), type: this.gl.UNSIGNED_BYTE, normalized: true },
    }), this.gl.LINES, [0.80, 0.25, 0.45]);
  }
}
