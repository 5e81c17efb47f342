// SPDX-License-Identifier: MIT
// Elements of the page. All text becomes text nodes: nothing is ever parsed as HTML.

export type Child = Node | string | null | undefined;
type Properties = Record<string, string | number | boolean | ((event: never) => void)>;

/** Makes an element. `on...` properties are listeners, all others are attributes; false leaves one out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else if (value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

/** Makes a section with a heading, which the navigation at the top names. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return element('section', { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title), ...children);
}

const grouped = new Intl.NumberFormat('en-US');

/** Returns a count with separators between thousands. */
export const count = (n: number): string => grouped.format(n);

/** Returns a number of bytes for people. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${count(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let i = -1;
  do {
    bytes /= 1024;
    ++i;
  } while (bytes >= 1024 && i < units.length - 1);
  return `${bytes.toFixed(bytes < 10 ? 2 : 1)} ${units[i]}`;
}

/** Returns a number with six significant digits at most. */
export function short(n: number): string {
  return Number.isInteger(n) && Math.abs(n) < 1e9 ? count(n) : String(Number(n.toPrecision(6)));
}
