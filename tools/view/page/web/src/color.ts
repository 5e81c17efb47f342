// SPDX-License-Identifier: MIT
// Colors of numbers: dark blue over teal to yellow, each lighter than the one before.

const stops = [[38, 24, 86], [45, 74, 140], [34, 124, 142], [60, 172, 118], [158, 207, 72], [250, 231, 85]];

/** Returns red, green and blue of a number from 0 to 1. */
export function ramp(at: number): [number, number, number] {
  const x = Math.min(Math.max(at, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(x), stops.length - 2);
  const mix = (k: number) => Math.round(stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (x - i));
  return [mix(0), mix(1), mix(2)];
}

/** Returns a color of a layer that differs from those of the next ones. */
export function layerColor(i: number): [number, number, number] {
  const hue = (i * 0.61803398875 + 0.58) % 1;
  const part = (shift: number) => 0.62 + 0.26 * Math.cos(2 * Math.PI * (hue + shift));
  return [part(0), part(-1 / 3), part(1 / 3)];
}
