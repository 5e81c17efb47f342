// SPDX-License-Identifier: MIT
// Tables of records. Only the rows that are in view are in the page.
import type { Table } from './data';
import { count, element } from './dom';

const rowHeight = 26;

/** Makes a table that scrolls; `name` is read by programs that read aloud. */
export function table(data: Table, name: string): HTMLElement {
  const gap = data.rows - data.cells.length;
  const body = element('tbody');
  const before = element('tr', { class: 'space', 'aria-hidden': 'true' });
  const after = element('tr', { class: 'space', 'aria-hidden': 'true' });
  const numeric = data.columns.map((_, k) =>
    data.cells.slice(0, 50).every(row => row[k] === '' || row[k] === 'null' || /^-?[\d.]/.test(row[k])));
  const lines = data.cells.length + (gap > 0 ? 1 : 0);
  const line = (i: number): HTMLTableRowElement => {
    if (gap > 0 && i === data.first)
      return element('tr', { class: 'gap' }, element('td', { colspan: data.columns.length + 1 },
        `${count(gap)} rows are not in this page`));
    const at = gap > 0 && i > data.first ? i - 1 : i;
    const number = at < data.first ? at : at + gap;
    return element('tr', { 'aria-rowindex': number + 2 }, element('th', { scope: 'row' }, count(number)),
      ...data.cells[at].map((cell, k) => element('td', { class: numeric[k] ? 'number' : false }, cell)));
  };
  const scroller = element('div', {
    class: 'scroller', tabindex: 0, role: 'region', 'aria-label': `Table ${name}`,
    onscroll: () => draw(),
  }, element('table', { 'aria-rowcount': data.rows + 1 },
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, '#'),
      ...data.columns.map((column, k) => element('th', { scope: 'col', class: numeric[k] ? 'number' : false }, column)))),
    body));
  let shown = [-1, -1];
  const draw = () => {
    const from = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 10);
    const to = Math.min(lines, from + 60);
    if (from === shown[0] && to === shown[1]) return;
    shown = [from, to];
    const rows: HTMLTableRowElement[] = [];
    for (let i = from; i < to; ++i) rows.push(line(i));
    before.style.height = `${from * rowHeight}px`;
    after.style.height = `${(lines - to) * rowHeight}px`;
    body.replaceChildren(before, ...rows, after);
  };
  draw();
  return element('div', { class: 'table' },
    element('p', { class: 'quiet' }, `${count(data.rows)} rows, ${count(data.columns.length)} columns`), scroller);
}
