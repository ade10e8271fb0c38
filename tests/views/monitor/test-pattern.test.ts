import { describe, expect, it } from 'vitest';
import { testPattern } from '../../../src/views/monitor/test-pattern.ts';

const sizes = [
  [272, 200],
  [320, 240],
  [720, 1_280],
  [1_921, 1_081],
  [3_840, 2_160],
] as const;

/** Grey values by row, as a canvas shows them. */
const painted = (width: number, height: number): readonly Uint8Array[] => {
  const rows = Array.from({ length: height }, () => new Uint8Array(width));
  for (const { x, y, width: columns, height: lines, grey } of testPattern(width, height))
    for (let row = y; row < y + lines; row += 1) rows[row]?.fill(grey, x, x + columns);
  return rows;
};
/** The longest part of a line of pixels that repeats these values. */
const longestRepeat = (line: readonly number[], unit: readonly number[]): number => {
  let longest = 0;
  for (let start = 0; start < line.length; start += 1) {
    let length = 0;
    while (start + length < line.length && line[start + length] === unit[length % unit.length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
};

describe.each(sizes)('the test pattern of %i x %i pixels', (width, height) => {
  const rows = painted(width, height);
  const shorter = Math.min(width, height);
  const margin = Math.max(4, Math.floor(shorter / 40));
  const field = 4 * Math.max(4, Math.floor(shorter / 80));
  const block = 2.25 * field;
  const column = (x: number, y: number, length: number) => rows.slice(y, y + length).map((row) => row[x] ?? -1);
  const row = (x: number, y: number, length: number) => [...(rows[y] ?? []).slice(x, x + length)];

  it('has only whole pixels inside the canvas and whole grey values', () => {
    for (const { x, y, width: columns, height: lines, grey } of testPattern(width, height)) {
      expect([x, y, columns, lines, grey].every(Number.isInteger)).toBe(true);
      expect(columns > 0 && lines > 0 && x >= 0 && y >= 0 && x + columns <= width && y + lines <= height).toBe(true);
      expect(grey >= 0 && grey <= 255).toBe(true);
    }
    const edge = [rows[0], rows.at(-1)].flatMap((line) => [...(line ?? [])]);
    expect(new Set([...edge, ...column(0, 0, height), ...column(width - 1, 0, height)])).toEqual(new Set([128]));
  });

  it.each([
    ['the top left corner', margin, margin],
    ['the top right corner', width - margin - block, margin],
    ['the bottom left corner', margin, height - margin - block],
    ['the bottom right corner', width - margin - block, height - margin - block],
    ['the centre', Math.floor((width - block) / 2), Math.floor((height - block) / 2)],
  ])('alternates black and white by one and by two pixels in %s', (_, x, y) => {
    const next = field * 1.25;
    expect(longestRepeat(row(x, y, field), [0, 255])).toBe(field);
    expect(longestRepeat(column(x + next, y, field), [0, 255])).toBe(field);
    expect(longestRepeat(row(x, y + next, field), [0, 0, 255, 255])).toBe(field);
    expect(longestRepeat(column(x + next, y + next, field), [0, 0, 255, 255])).toBe(field);
    // The lines are as long as the field.
    expect(new Set(column(x, y, field))).toEqual(new Set([0]));
    expect(new Set(row(x + next, y + 1, field))).toEqual(new Set([255]));
  });

  it('has 5 % within black and 95 % within white beside the centre', () => {
    const middle = [...(rows[Math.floor(height / 2)] ?? [])];
    const runs = middle.filter((grey, x) => grey !== middle[x - 1]);
    expect(runs.slice(0, 5)).toEqual([128, 0, 13, 0, 128]);
    expect(runs.slice(-5)).toEqual([128, 255, 242, 255, 128]);
  });

  it('has a ramp of all 256 values in steps of one, each as wide as the others', () => {
    const ramp = rows.find((line) => new Set(line).size === 256);
    const shown = [...(ramp ?? [])];
    const wide = Math.max(1, Math.floor((width - 2 * margin) / 256));
    const start = Math.floor((width - 256 * wide) / 2);
    expect(shown.slice(start, start + 256 * wide)).toEqual(
      Array.from({ length: 256 * wide }, (_, index) => Math.floor(index / wide)),
    );
  });

  it('has a row of 16 patches from black to white', () => {
    const patches = Array.from({ length: 16 }, (_, index) => index * 17);
    expect(
      rows.some((line) => {
        const runs = [...line].filter((grey, x) => grey !== line[x - 1]);
        return runs.slice(1, -1).join() === patches.join();
      }),
    ).toBe(true);
  });

  it('has letters at the top and the bottom that differ by 8 steps from a dark, a mid and a light field', () => {
    const letters = (top: number) => {
      const x = 2 * margin + block;
      const greys = rows.slice(top, top + block).flatMap((line) => [...line.slice(x, width - x)]);
      return [...new Set(greys)].sort((one, other) => one - other);
    };
    expect(letters(margin)).toEqual([13, 21, 128, 136, 234, 242]);
    expect(letters(height - margin - block)).toEqual([13, 21, 128, 136, 234, 242]);
  });
});
