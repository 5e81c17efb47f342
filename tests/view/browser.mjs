// SPDX-License-Identifier: MIT
// A page in headless Chromium, with what its tests look at.
import { chromium } from 'playwright-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const command = resolve(process.env.POLYCODEC_COMMAND ?? 'build/release/bin/polycodec');
const shots = resolve(process.env.POLYCODEC_SHOTS ?? 'build/view/shots');
const flags = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const software = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const noWebGL = ['--disable-gpu', '--disable-software-rasterizer', '--disable-3d-apis'];
const patience = 90_000;  // milliseconds: a busy machine is slow, and only a page that hangs fails

/** A directory of its own for the files of a test. */
export class Files {
  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'polycodec-view-test-'));
  }

  /** Writes a file and returns its path. */
  add(name, bytes) {
    const path = join(this.directory, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Returns the path of the page that the command makes of a file. */
  page(file, ...options) {
    const page = join(this.directory, `page${Math.random()}.html`);
    execFileSync(command, ['view', file, '-o', page, '--quiet', ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
    return page;
  }
}

/** Starts a browser, with or without WebGL. */
export const launch = (withWebGL = true) => chromium.launch({
  executablePath: process.env.POLYCODEC_CHROMIUM ?? '/usr/bin/chromium', args: [...flags, ...(withWebGL ? software : noWebGL)], timeout: patience,
});

/** Opens a page from the disk. `problems` are errors, violations of its policy and requests that leave it. */
export async function open(browser, path, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(patience);
  const problems = [];
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('console', message => { if (message.type() === 'error' || /Content Security Policy/.test(message.text())) problems.push(`console: ${message.text()}`); });
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push(`request: ${request.url()}`); });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', event => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  return { page, problems };
}

/** Saves a screenshot for people. */
export async function shot(page, name) {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

/** Presses a key on the mesh, and returns the share of pixels that are drawn, the number of their colors, a sum of them, and how many are at the edge. */
export const drawn = (page, key = '', shift = false) => page.evaluate(async ([key, shift]) => {
  const canvas = document.querySelector('#mesh canvas');
  const gl = canvas.getContext('webgl2');
  // Without a key of its own, a zoom there and back draws the same picture again.
  for (const k of key === '' ? ['+', '-'] : [key]) canvas.dispatchEvent(new KeyboardEvent('keydown', { key: k, shiftKey: shift, bubbles: true }));
  // The page has asked for its frame first, so this one comes after it and sees what it drew.
  return new Promise(done => requestAnimationFrame(() => {
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const colors = new Set();
    let covered = 0, sum = 0, edge = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      if (pixels[i + 3] === 0) continue;
      ++covered;
      const x = i / 4 % gl.drawingBufferWidth, y = Math.floor(i / 4 / gl.drawingBufferWidth);
      if (x === 0 || y === 0 || x === gl.drawingBufferWidth - 1 || y === gl.drawingBufferHeight - 1) ++edge;
      colors.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
      sum = (sum * 31 + pixels[i] + 7 * pixels[i + 1] + 13 * pixels[i + 2] + i) % 1e9;
    }
    done({ share: covered / (pixels.length / 4), colors: colors.size, sum, edge });
  }));
}, [key, shift]);

/** Returns how many colors a canvas of numbers or of a plot has. */
export const colorsOf = (page, selector) => page.locator(selector).first().evaluate(canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colors = new Set();
  for (let i = 0; i < data.length; i += 4) colors.add(data[i] << 24 | data[i + 1] << 16 | data[i + 2] << 8 | data[i + 3]);
  return colors.size;
});
