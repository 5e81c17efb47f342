// SPDX-License-Identifier: MIT
// Plots of a column: its histogram, its course, or its image.
import uPlot from 'uplot';
import type { Column } from './data';
import { unpackBytes, unpackFloats } from './data';
import { count, element, short } from './dom';
import { ramp } from './color';

const height = 200;

function colors(): { axis: string; grid: string; accent: string; fill: string } {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { axis: of('--quiet'), grid: of('--line'), accent: of('--accent'), fill: of('--accent-fill') };
}

/** Draws once the holder is in the page, as wide as that, and again when either changes. */
function chart(label: string, make: (width: number) => [uPlot.Options, uPlot.AlignedData]): HTMLElement {
  const holder = element('div', { class: 'chart', role: 'img', 'aria-label': label });
  let drawn: uPlot | null = null;
  let width = 0;
  const draw = () => {
    drawn?.destroy();
    const [options, data] = make(width);
    drawn = new uPlot(options, data, holder);
  };
  new ResizeObserver(() => {
    const now = Math.floor(holder.clientWidth);
    if (now === 0 || now === width) return;
    width = now;
    draw();
  }).observe(holder);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { if (width > 0) draw(); });
  return holder;
}

/** The unit, if there is one, labels the axis of the numbers of the column. */
function axes(color: ReturnType<typeof colors>, x = '', y = ''): uPlot.Axis[] {
  const font = '11px system-ui, sans-serif';
  const one = { stroke: color.axis, grid: { stroke: color.grid, width: 1 }, ticks: { stroke: color.grid, width: 1 }, font };
  const named = (label: string) => (label === '' ? {} : { label, labelFont: font, labelSize: 18 });
  return [{ ...one, ...named(x) }, { ...one, size: 64, ...named(y) }];
}

function histogram(column: Column): HTMLElement | null {
  const h = column.histogram;
  if (!h) return null;
  const step = (h.high - h.low) / h.counts.length || 1;
  const middles = h.counts.map((_, i) => h.low + (i + 0.5) * step);
  const label = `Histogram of ${column.path}: ${h.counts.length} bins from ${short(h.low)} to ${short(h.high)}, ` +
    `most in one bin ${count(Math.max(...h.counts))}`;
  return element('figure', {}, element('figcaption', {}, 'Histogram'), chart(label, width => {
    const color = colors();
    return [{
      width, height, legend: { show: false }, cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false, range: [h.low, h.low === h.high ? h.low + 1 : h.high] }, y: { range: (_u, _low, high) => [0, high * 1.05] } },
      axes: axes(color, column.unit),
      series: [{}, { stroke: color.accent, fill: color.fill, width: 1, paths: uPlot.paths.bars!({ size: [0.95, 1e4] }), points: { show: false } }],
    }, [middles, h.counts]];
  }));
}

function line(column: Column): HTMLElement | null {
  const course = column.line;
  if (!course) return null;
  const figure = element('figure', {}, element('figcaption', {}, 'Course'));
  void unpackFloats(course.data, 2).then(ends => {
    const n = course.buckets;
    const step = column.count / n;
    const at = Array.from({ length: n }, (_, i) => Math.floor(i * step));
    const least = at.map((_, i) => (Number.isFinite(ends[2 * i]) ? ends[2 * i] : null));
    const most = at.map((_, i) => (Number.isFinite(ends[2 * i + 1]) ? ends[2 * i + 1] : null));
    const isExact = n === column.count;
    const label = `Line of ${column.path}: ${count(column.count)} numbers from ${column.least} to ${column.most}`;
    if (!isExact) figure.append(element('p', { class: 'quiet' }, `Each point is the range of ${short(step)} numbers`));
    figure.append(chart(label, width => {
      const color = colors();
      const stroke = { stroke: color.accent, width: 1.25, points: { show: n < 60 } };
      return [{
        width, height, legend: { show: false }, cursor: { drag: { x: true, y: false } },
        scales: { x: { time: false } }, axes: axes(color, '', column.unit),
        series: isExact ? [{}, stroke] : [{}, stroke, stroke],
        ...(isExact ? {} : { bands: [{ series: [2, 1] as [number, number], fill: color.fill }] }),
      }, isExact ? [at, least] : [at, least, most]] as [uPlot.Options, uPlot.AlignedData];
    }));
  });
  return figure;
}

function image(column: Column): HTMLElement | null {
  const data = column.image;
  if (!data || data.width === 0 || data.height === 0) return null;
  const canvas = element('canvas', {
    width: data.width, height: data.height, role: 'img',
    'aria-label': `Image of ${column.path}: ${data.width} by ${data.height} pixels, from ${column.least} to ${column.most}`,
  });
  const scale = Math.max(1, Math.min(16, Math.floor(384 / Math.max(data.width, data.height))));
  canvas.style.width = `${data.width * scale}px`;
  const reading = element('output', { class: 'quiet' }, ' ');
  void unpackBytes(data.levels).then(levels => {
    const context = canvas.getContext('2d')!;
    const pixels = context.createImageData(data.width, data.height);
    const channels = data.channels ?? 0;
    for (let i = 0; i < data.width * data.height; ++i) {
      if (channels > 0) {
        for (let k = 0; k < 4; ++k) pixels.data[4 * i + k] = k < channels ? levels[channels * i + k] : 255;
        continue;
      }
      const level = levels[2 * i] | (levels[2 * i + 1] << 8);
      if (level === 0) continue;  // a missing number stays transparent
      const [r, g, b] = ramp((level - 1) / 65534);
      pixels.data.set([r, g, b, 255], 4 * i);
    }
    context.putImageData(pixels, 0, 0);
    canvas.onpointermove = event => {
      const box = canvas.getBoundingClientRect();
      const x = Math.min(data.width - 1, Math.floor((event.clientX - box.left) / box.width * data.width));
      const y = Math.min(data.height - 1, Math.floor((event.clientY - box.top) / box.height * data.height));
      const i = Math.max(0, y) * data.width + Math.max(0, x);
      const level = levels[2 * i] | (levels[2 * i + 1] << 8);
      const value = channels > 0 ? [...levels.subarray(channels * i, channels * (i + 1))].join(', ')
        : level === 0 ? 'missing' : `about ${short(column.low! + (level - 1) / 65534 * (column.high! - column.low!))}`;
      reading.textContent = `[${y * data.step}, ${x * data.step}]: ${value}`;
    };
  });
  const scaleBar = data.channels ? null : element('p', { class: 'scale' }, short(column.low!), ' ', element('span', { class: 'ramp', 'aria-hidden': 'true' }), ' ', short(column.high!));
  return element('figure', {}, element('figcaption', {}, 'Image',
    data.planes > 1 ? ` (the first of ${count(data.planes)} planes)` : '', data.step > 1 ? ` (every ${data.step}th row and column)` : ''),
  element('div', { class: 'image' }, canvas), scaleBar, reading);
}

/** Makes the plots of a column with its figures. `told` are attributes that are shown beside them. */
export function plot(column: Column, told?: string): HTMLElement {
  const facts = element('dl', { class: 'facts' });
  const fact = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') facts.append(element('dt', {}, name), element('dd', {}, String(value)));
  };
  if (column.shape.length !== 1) fact('Shape', column.shape.join(' × '));
  fact('Least', column.least);
  fact('Most', column.most);
  fact('Mean', column.mean === undefined ? undefined : short(column.mean));
  if (column.missing > 0) fact('Missing', count(column.missing));
  if (column.nan > 0) fact('Not a number', count(column.nan));
  if (column.attributes !== told) fact('Attributes', column.attributes);
  return element('div', { class: 'plots' }, facts, image(column), line(column), histogram(column));
}
