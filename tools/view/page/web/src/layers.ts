// SPDX-License-Identifier: MIT
// Objects, groups and materials of a mesh as layers that can be switched off.
import type { MeshData } from './data';
import { count, element } from './dom';
import type { Scene } from './scene';

const mostShown = 400;

/** Returns the name of a layer. */
export function layerName(mesh: MeshData, i: number): string {
  const [object, group, material] = mesh.layers[i];
  const of = (names: string[], index: number, kind: string) => (index < 0 ? null : names[index] || `${kind} ${index}`);
  const parts = [of(mesh.objects, object, 'object'), of(mesh.groups, group, 'group'), of(mesh.materialNames, material, 'material')];
  return parts.filter(part => part !== null).join(' / ') || 'All faces';
}

/** Makes the list, or nothing for a single layer. */
export function layerList(scene: Scene, mesh: MeshData): HTMLElement | null {
  if (mesh.layers.length < 2) return null;
  const boxes: HTMLInputElement[] = [];
  const all = (value: boolean) => {
    scene.visible.fill(value);
    for (const box of boxes) box.checked = value;
    scene.draw();
  };
  const list = element('div', { class: 'layers scroller' });
  mesh.layers.slice(0, mostShown).forEach((layer, i) => {
    const box = element('input', { type: 'checkbox', checked: true, onchange: () => { scene.visible[i] = box.checked; scene.draw(); } });
    boxes.push(box);
    list.append(element('label', {}, box, ` ${layerName(mesh, i)} `, element('span', { class: 'quiet' }, count(layer[4]))));
  });
  return element('fieldset', {}, element('legend', {}, 'Layers'), list,
    mesh.layers.length > mostShown ? element('p', { class: 'quiet' }, `${count(mesh.layers.length - mostShown)} more layers are always shown`) : null,
    element('button', { class: 'small', onclick: () => all(true) }, 'All'), ' ', element('button', { class: 'small', onclick: () => all(false) }, 'None'));
}
