// SPDX-License-Identifier: MIT
// The map of the file: which bytes belong to which part of the value.
import type { PageData, Use } from './data';
import { count, element, section, size } from './dom';

const mostLanes = 24;

/** Makes the map, or nothing for a value that is not from bytes. */
export function filemap(data: PageData): HTMLElement | null {
  const bytes = data.bytes;
  if (bytes === null || bytes === 0) return null;
  const inFile = data.figures.uses.filter((use): use is [string, string, number, number] => use[2] !== null && use[3] > 0);
  inFile.sort((a, b) => a[2] - b[2] || b[3] - a[3]);
  const inMemory: Use[] = data.figures.uses.filter(use => use[2] === null && use[3] > 0);
  let covered = 0;
  let end = 0;
  for (const [, , offset, length] of inFile) {
    covered += Math.max(0, offset + length - Math.max(end, offset));
    end = Math.max(end, offset + length);
  }
  const lanes: number[] = [];
  const map = element('div', { class: 'map', role: 'list', 'aria-label': `Map of ${count(bytes)} bytes` });
  const reading = element('p', { class: 'quiet', 'aria-live': 'polite' }, 'Choose a part of the map to see its bytes.');
  const laneHeight = 22;
  inFile.forEach(([path, role, offset, length], i) => {
    let lane = lanes.findIndex(last => last <= offset);
    if (lane < 0) lane = lanes.length < mostLanes ? lanes.push(0) - 1 : mostLanes - 1;
    lanes[lane] = offset + length;
    const name = role === 'data' ? path : `${path} (${role})`;
    const label = `${name}: bytes ${count(offset)} to ${count(offset + length - 1)}, ${size(length)}`;
    const tell = () => { reading.textContent = label; };
    const part = element('button', { class: `part tone${i % 6}`, 'aria-label': label, title: label, onclick: tell, onfocus: tell, onpointerenter: tell },
      element('span', {}, name));
    const item = element('div', { role: 'listitem', class: 'place' }, part);
    item.style.insetInlineStart = `${offset / bytes * 100}%`;
    item.style.width = `${length / bytes * 100}%`;
    item.style.top = `${lane * laneHeight}px`;
    map.append(item);
  });
  map.style.height = `${Math.max(1, lanes.length) * laneHeight + 2}px`;
  const share = (covered / bytes * 100).toFixed(covered === bytes || covered === 0 ? 0 : 1);
  const uses = element('table', {}, element('thead', {}, element('tr', {}, ...['Part', 'Role', 'Offset', 'Length'].map((name, k) =>
    element('th', { scope: 'col', class: k > 1 ? 'number' : false }, name)))),
  element('tbody', {}, ...[...inFile, ...inMemory].slice(0, 400).map(([path, role, offset, length]) => element('tr', {},
    element('th', { scope: 'row' }, path), element('td', {}, role),
    element('td', { class: 'number' }, offset === null ? 'in memory' : count(offset)), element('td', { class: 'number' }, count(length))))));
  return section('map', 'Map of the file',
    element('p', {}, inFile.length === 0
      ? 'No part of the value is a view of the file: the codec has made all of it in memory.'
      : `${share} % of ${size(bytes)} are viewed where they are. All other bytes are structure, text or compressed data.`),
    inFile.length === 0 ? null : element('div', { class: 'ruler', 'aria-hidden': 'true' }, element('span', {}, '0'), element('span', {}, count(bytes))),
    inFile.length === 0 ? null : map, inFile.length === 0 ? null : reading,
    data.figures.uses.length === 0 ? null : element('details', {}, element('summary', {}, `${count(data.figures.uses.length)} buffers`),
      element('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Buffers' }, uses)));
}
