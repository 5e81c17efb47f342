// SPDX-License-Identifier: MIT
// The page: its sections in their order.
import type { PageData } from './data';
import { element } from './dom';
import { figures } from './figures';
import { filemap } from './filemap';
import { header } from './header';
import { meshSection } from './mesh';
import { outline } from './outline';

const holder = document.getElementById('data')!;
const data = JSON.parse(holder.textContent!) as PageData;
holder.remove();  // the text is not needed any more
const page = document.getElementById('page')!;
const ready = () => { document.documentElement.dataset.ready = String(Math.round(performance.now())); };
// The picture comes last, because its size must be known; all other sections are there at once.
const sections = [outline(data), figures(data), filemap(data)].filter(part => part !== null);
const mesh = data.mesh ? meshSection(data.mesh, data.file, ready) : null;
const all = mesh ? [mesh, ...sections] : sections;
const navigation = element('nav', { 'aria-label': 'Sections' },
  ...all.map(part => element('a', { href: `#${part.id}` }, part.querySelector('h2')!.textContent!)));
page.append(header(data), navigation, ...all, element('footer', { class: 'quiet' }, `Made by ${data.program}`));
if (!mesh) ready();
