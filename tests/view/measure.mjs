// SPDX-License-Identifier: MIT
// Measures the page of a mesh of a million triangles in software WebGL: node measure.mjs [RUNS]
// The first frame counts from the start of the navigation. A step counts from a key to the end of its frame.
import { statSync } from 'node:fs';
import { Files, launch, open } from './browser.mjs';
import { torus } from './inputs.mjs';

const runs = Number(process.argv[2] ?? 5);
const files = new Files();
const file = files.add('million.ply', torus(1000, 500));
const path = files.page(file);
const median = values => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds from a key to the end of the frame that follows, `pause` after the last one. */
const step = (page, pause) => page.evaluate(async pause => {
  await new Promise(done => setTimeout(done, pause));
  const canvas = document.querySelector('#mesh canvas');
  const gl = canvas.getContext('webgl2');
  const wait = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  wait();
  const frames = Number(canvas.dataset.frames), start = performance.now();
  canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
  while (Number(canvas.dataset.frames) === frames) await new Promise(done => requestAnimationFrame(done));
  wait();
  return performance.now() - start;
}, pause);

const first = [], begun = [], next = [];
for (let run = 0; run < runs; ++run) {
  const browser = await launch();
  const { page } = await open(browser, path);
  first.push(Number(await page.evaluate(() => document.documentElement.dataset.ready)));
  begun.push(await step(page, 1000));
  for (let i = 0; i < 8; ++i) next.push(await step(page, 0));
  await browser.close();
}
const show = values => `${values.map(Math.round).sort((a, b) => a - b).join(' ')} (median ${Math.round(median(values))})`;
console.log(`1,000,000 triangles: file ${statSync(file).size} bytes, page ${statSync(path).size} bytes`);
console.log(`first frame, ms: ${show(first)}`);
console.log(`first orbit step, ms: ${show(begun)}`);
console.log(`further orbit steps, ms: ${show(next)}`);
