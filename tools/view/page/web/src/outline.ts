// SPDX-License-Identifier: MIT
// The tree of the value, and what is known of the chosen node.
import type { Column, Node, PageData } from './data';
import { count, element, section } from './dom';
import { plot } from './plot';
import { table } from './table';

const atOnce = 120;  // children that one press opens

interface Row {
  index: number;
  level: number;
  line: HTMLElement;
  group: HTMLElement | null;  // its children, once it was opened
}

/** Makes the tree with its panel. */
export function outline(data: PageData): HTMLElement {
  const { nodes, tables } = data.outline;
  const children: number[][] = nodes.map(() => []);
  for (let i = 1; i < nodes.length; ++i) children[nodes[i][0]].push(i);
  const columns = new Map(data.figures.columns.map((column): [string, Column] => [column.path, column]));
  const rows = new Map<HTMLElement, Row>();
  const panel = element('div', { class: 'panel', 'aria-live': 'polite' });
  const tree = element('div', { class: 'tree', role: 'tree', 'aria-label': 'The value', onkeydown: (event: KeyboardEvent) => onKey(event) });
  let chosen: HTMLElement | null = null;

  const path = (i: number): string => (i === 0 ? '$' : path(nodes[i][0]) + nodes[i][1]);

  function show(i: number): void {
    const [, , kind, what, preview, length, , tableNumber, attributes] = nodes[i];
    const place = path(i);
    const facts = element('dl', { class: 'facts' });
    const fact = (name: string, value: string) => facts.append(element('dt', {}, name), element('dd', {}, element('code', {}, value)));
    fact('Path', place);
    fact('Kind', kind);
    if (what !== kind) fact('Type', what);
    if (length > 0) fact('Children', count(length));
    if (attributes) fact('Attributes', attributes);
    if (preview && tableNumber < 0) fact('Value', preview);
    const column = columns.get(place) ?? columns.get(`${place}[]`);
    panel.replaceChildren(element('h3', {}, i === 0 ? data.file : place), facts,
      column ? plot(column, attributes) : '', tableNumber >= 0 ? table(tables[tableNumber], place) : '');
  }

  function choose(line: HTMLElement, focus: boolean): void {
    if (chosen) {
      chosen.setAttribute('aria-selected', 'false');
      chosen.tabIndex = -1;
    }
    chosen = line;
    line.setAttribute('aria-selected', 'true');
    line.tabIndex = 0;
    if (focus) line.focus();
    show(rows.get(line)!.index);
  }

  function item(i: number, level: number): HTMLElement {
    const node: Node = nodes[i];
    const opens = children[i].length > 0 || node[6] > 0;
    const line = element('div', {
      class: 'node', role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-selected': 'false',
      ...(opens ? { 'aria-expanded': 'false' } : {}),
      onclick: () => {
        choose(line, true);
        if (opens) toggle(line);
      },
    }, element('span', { class: 'twist', 'aria-hidden': 'true' }),
      element('span', { class: 'step' }, i === 0 ? data.file : node[1].replace(/^\./, '')), ' ',
      element('span', { class: 'what' }, node[5] > 0 && node[3] === node[2] ? `${node[3]} of ${count(node[5])}` : node[3]), ' ',
      element('span', { class: 'preview' }, node[4]));
    line.style.paddingInlineStart = `${(level - 1) * 16 + 4}px`;
    rows.set(line, { index: i, level, line, group: null });
    return element('div', { role: 'none' }, line);
  }

  function fill(row: Row, group: HTMLElement, from: number): void {
    const all = children[row.index];
    const node = nodes[row.index];
    // The children that are left out are after those of the front.
    const gapAt = node[6] > 0 && all.length > 0 ? all.findIndex((i, k) => k > 0 && nodes[i][1].startsWith('[') && Number(nodes[i][1].slice(1, -1)) !== k) : -1;
    for (let k = from; k < Math.min(all.length, from + atOnce); ++k) {
      if (k === gapAt) group.append(element('div', { class: 'gap', role: 'none' }, `${count(node[6])} items are not in this page`));
      group.append(item(all[k], row.level + 1));
    }
    const rest = all.length - from - atOnce;
    if (rest > 0) {
      const more = element('button', { class: 'small more', onclick: () => { more.remove(); fill(row, group, from + atOnce); } },
        `${count(rest)} more`);
      group.append(more);
    } else if (all.length < node[5] && gapAt < 0) {
      group.append(element('div', { class: 'gap', role: 'none' }, `${count(node[5] - all.length)} items are not in this page`));
    }
  }

  function toggle(line: HTMLElement, open = line.getAttribute('aria-expanded') !== 'true'): void {
    const row = rows.get(line)!;
    line.setAttribute('aria-expanded', String(open));
    if (open && row.group === null) {
      row.group = element('div', { role: 'group' });
      line.after(row.group);
      fill(row, row.group, 0);
    }
    if (row.group) row.group.hidden = !open;
  }

  function onKey(event: KeyboardEvent): void {
    if (!chosen || !(event.target instanceof HTMLElement) || !rows.has(event.target)) return;
    const lines = [...rows.keys()].filter(line => line.isConnected && line.offsetParent !== null);
    lines.sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
    const at = lines.indexOf(chosen);
    const row = rows.get(chosen)!;
    const expanded = chosen.getAttribute('aria-expanded');
    let next: HTMLElement | undefined;
    if (event.key === 'ArrowDown') next = lines[at + 1];
    else if (event.key === 'ArrowUp') next = lines[at - 1];
    else if (event.key === 'Home') next = lines[0];
    else if (event.key === 'End') next = lines[lines.length - 1];
    else if (event.key === 'ArrowRight' && expanded === 'false') toggle(chosen, true);
    else if (event.key === 'ArrowRight' && expanded === 'true') next = lines[at + 1];
    else if (event.key === 'ArrowLeft' && expanded === 'true') toggle(chosen, false);
    else if (event.key === 'ArrowLeft') next = lines.slice(0, at).reverse().find(line => rows.get(line)!.level < row.level);
    else if (event.key === 'Enter' || event.key === ' ') { if (expanded) toggle(chosen); }
    else return;
    event.preventDefault();
    if (next) choose(next, true);
  }

  tree.append(item(0, 1));
  const root = tree.querySelector<HTMLElement>('.node')!;
  if (root.hasAttribute('aria-expanded')) toggle(root, true);
  choose(root, false);
  return section('value', 'Value', element('div', { class: 'split' }, tree, panel));
}
