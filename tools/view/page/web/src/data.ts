// SPDX-License-Identifier: MIT
// The data of the page, as the program writes it, and how its arrays are unpacked.

/** parent, step, kind, what, preview, size, gap, table, attributes */
export type Node = [number, string, string, string, string, number, number, number, string];

export interface Table {
  columns: string[];
  rows: number;
  first: number;
  cells: string[][];
}

export interface Image {
  width: number;
  height: number;
  step: number;
  planes: number;
  channels?: number;
  levels: string;
}

export interface Column {
  path: string;
  type: string;
  count: number;
  missing: number;
  nan: number;
  shape: number[];
  attributes?: string;
  unit?: string;
  least?: string;
  most?: string;
  low?: number;
  high?: number;
  mean?: number;
  histogram?: { low: number; high: number; counts: number[] };
  line?: { buckets: number; data: string };
  image?: Image;
}

/** path, role, offset, length */
export type Use = [string, string, number | null, number];

export interface Material {
  name: string;
  color?: [number, number, number];
  opacity?: number;
  texture?: number;  // of the images
}

/** object, group, material, first triangle, number of triangles */
export type Layer = [number, number, number, number, number];

export interface MeshData {
  vertices: number;
  triangles: number;
  edges: number;
  filePositions: number;
  fileFaces: number;
  yUp: boolean;
  decimated?: boolean;
  origin: [number, number, number];
  position: string;
  normal?: string;
  texcoord?: string;
  color?: string;
  source?: string;
  triangle?: string;
  face?: string;
  edge?: string;
  attributes: { name: string; values: string }[];
  layers: Layer[];
  objects: string[];
  groups: string[];
  materialNames: string[];
  materials: Material[];
  images: string[];
  picture: string | null;
}

export interface PageData {
  file: string;
  codec: string;
  chosen: string;
  bytes: number | null;
  partial: boolean;
  type: string;
  addresses: { exact: string; logical: string };
  options?: string;
  filters?: string;
  program: string;
  outline: { nodes: Node[]; tables: Table[] };
  figures: { columns: Column[]; uses: Use[]; complete: boolean; omitted: number };
  mesh: MeshData | null;
  notes: string[];
  losses: string[];
}

/** Returns the bytes of compressed base64 text. */
export async function unpackBytes(text: string): Promise<Uint8Array> {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns words that were replaced by differences to the word `lag` before, bytes apart. */
export async function unpackWords(text: string, lag: number): Promise<Uint32Array> {
  const bytes = await unpackBytes(text);
  const n = bytes.length / 4;
  const words = new Uint32Array(n);
  for (let i = 0; i < n; ++i)
    words[i] = bytes[i] | (bytes[n + i] << 8) | (bytes[2 * n + i] << 16) | (bytes[3 * n + i] << 24);
  for (let i = lag; i < n; ++i) words[i] += words[i - lag];
  return words;
}

/** The same for numbers by their bits. */
export async function unpackFloats(text: string, lag: number): Promise<Float32Array> {
  return new Float32Array((await unpackWords(text, lag)).buffer);
}
