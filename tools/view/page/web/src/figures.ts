// SPDX-License-Identifier: MIT
// The table of numeric columns.
import type { Column, PageData } from './data';
import { count, element, section, short } from './dom';
import { plot } from './plot';

function bars(column: Column): Node {
  const h = column.histogram;
  if (!h) return document.createTextNode('');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${h.counts.length} 20`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'bars');
  svg.setAttribute('aria-hidden', 'true');
  const most = Math.max(...h.counts, 1);
  h.counts.forEach((n, i) => {
    if (n === 0) return;
    const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    const tall = Math.max(1, n / most * 20);
    for (const [name, value] of Object.entries({ x: i + 0.05, y: 20 - tall, width: 0.9, height: tall })) bar.setAttribute(name, String(value));
    svg.append(bar);
  });
  return svg;
}

/** Makes the section of columns, or nothing if there are none. */
export function figures(data: PageData): HTMLElement | null {
  const { columns, complete, omitted } = data.figures;
  if (columns.length === 0) return null;
  const body = element('tbody');
  for (const column of columns) {
    const holder = element('td', { colspan: 8 });
    const detail = element('tr', { class: 'detail', hidden: true }, holder);
    const button = element('button', {
      class: 'link', 'aria-expanded': 'false',
      onclick: () => {
        if (detail.hidden) holder.replaceChildren(plot(column));
        detail.hidden = !detail.hidden;
        button.setAttribute('aria-expanded', String(!detail.hidden));
      },
    }, column.path);
    body.append(element('tr', {}, element('th', { scope: 'row' }, button), element('td', {}, column.type),
      element('td', { class: 'number' }, count(column.count)),
      element('td', { class: 'number' }, column.missing > 0 ? count(column.missing) : '', column.nan > 0 ? ` ${count(column.nan)} NaN` : ''),
      element('td', { class: 'number' }, column.least ?? ''), element('td', { class: 'number' }, column.most ?? ''),
      element('td', { class: 'number' }, column.mean === undefined ? '' : short(column.mean)),
      element('td', {}, bars(column))), detail);
  }
  const heads = ['Column', 'Type', 'Count', 'Missing', 'Least', 'Most', 'Mean', 'Histogram'];
  return section('columns', 'Numeric columns', element('div', { class: 'scroller wide', tabindex: 0, role: 'region', 'aria-label': 'Numeric columns' },
    element('table', { class: 'columns' }, element('thead', {}, element('tr', {}, ...heads.map((name, k) =>
      element('th', { scope: 'col', class: k > 1 && k < 7 ? 'number' : false }, name)))), body)),
  omitted > 0 ? element('p', { class: 'quiet' }, `${count(omitted)} more columns are not in this page`) : null,
  complete ? null : element('p', { class: 'quiet' }, 'The figures end where they would take too long'));
}
