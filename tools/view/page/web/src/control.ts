// SPDX-License-Identifier: MIT
// Pointers and keys that move the view of a mesh.
import type { Scene } from './scene';

const still = 4;  // pixels that a press may move and still pick

/** Connects the canvas with the scene. `pick` gets the pixel of a click. */
export function control(scene: Scene, canvas: HTMLCanvasElement, pick: (x: number, y: number) => void): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let gap = 0;
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = pointers.size > 1 ? still + 1 : 0;
    gap = 0;
  });
  canvas.addEventListener('pointermove', event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    const height = canvas.clientHeight;
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const now = Math.hypot(a.x - b.x, a.y - b.y);
      if (gap > 0 && now > 0) scene.zoom(gap / now);
      gap = now;
      scene.pan(-dx / height / 2, dy / height / 2);
    } else if (event.shiftKey || (event.buttons & 6) !== 0) {
      scene.pan(-dx / height, dy / height);
    } else {
      scene.orbit(-dx / height * 4, dy / height * 4);
    }
  });
  const end = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || event.type !== 'pointerup' || moved > still || event.button !== 0) return;
    const box = canvas.getBoundingClientRect();
    pick(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    scene.zoom(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.04 : 0.0015)));
  }, { passive: false });

  const flip = (key: string) => document.querySelector<HTMLInputElement>(`#mesh input[data-key=${key}]`)?.click();
  canvas.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const move = moves[event.key];
    if (move && event.shiftKey) scene.pan(move[0] * 0.05, move[1] * 0.05);
    else if (move) scene.orbit(move[0] * 0.12, move[1] * 0.12);
    else if (event.key === '+' || event.key === '=') scene.zoom(1 / 1.2);
    else if (event.key === '-') scene.zoom(1.2);
    else if (event.key === 'w' || event.key === 'W') flip('wireframe');
    else if (event.key === 'n' || event.key === 'N') flip('normals');
    else if (event.key === 'v' || event.key === 'V') flip('vertices');
    else if (event.key === 'f' || event.key === 'F') flip('flat');
    else if (event.key === 'r' || event.key === 'R') scene.fit();
    else if (event.key === 'Enter' || event.key === ' ') pick(canvas.clientWidth / 2, canvas.clientHeight / 2);
    else return;
    event.preventDefault();
  });
}
