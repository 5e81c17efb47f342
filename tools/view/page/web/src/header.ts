// SPDX-License-Identifier: MIT
// The head of the page: what the file is.
import type { PageData } from './data';
import { count, element, size } from './dom';

function address(label: string, value: string): HTMLElement[] {
  const done = element('span', { class: 'quiet', role: 'status' });
  const copy = element('button', {
    class: 'small', 'aria-label': `Copy the ${label}`,
    onclick: () => {
      navigator.clipboard?.writeText(value).then(() => { done.textContent = ' copied'; },
        () => { done.textContent = ' not copied: select it'; });
    },
  }, 'Copy');
  return [element('dt', {}, label), element('dd', {}, element('code', { class: 'address' }, value), ' ', copy, done)];
}

function messages(title: string, kind: string, lines: string[]): HTMLElement | null {
  if (lines.length === 0) return null;
  return element('div', { class: `messages ${kind}`, role: 'note', 'aria-label': title },
    element('h2', {}, title), element('ul', {}, ...lines.map(line => element('li', {}, line))));
}

/** Makes the head, with notes and losses below. */
export function header(data: PageData): HTMLElement {
  const facts = element('dl', { class: 'facts' });
  const fact = (name: string, value: string) =>
    facts.append(element('dt', {}, name), element('dd', {}, value));
  fact('Codec', data.codec);
  fact('Chosen by', data.chosen);
  if (data.bytes !== null) fact('Size', data.bytes < 1024 ? size(data.bytes) : `${size(data.bytes)} (${count(data.bytes)} bytes)`);
  if (data.options) fact('Options', data.options);
  if (data.filters) fact('Filters', data.filters);
  const type = element('code', { class: 'type' }, data.type);
  facts.append(element('dt', {}, 'Type'), element('dd', {}, data.type.length < 160 ? type
    : element('details', {}, element('summary', {}, element('code', {}, `${data.type.slice(0, 140)}...`)), type)));
  facts.append(...address('Exact address', data.addresses.exact), ...address('Logical address', data.addresses.logical));
  return element('header', {},
    element('h1', {}, data.file),
    facts, messages('Notes', 'note', data.notes), messages('Losses', 'loss', data.losses));
}
