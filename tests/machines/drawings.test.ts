import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawingOf } from './drawing.ts';
import { machines } from './models/index.ts';
import { fileOf } from './page/svg.ts';

const root = path.join(import.meta.dirname, '..', '..');
const style = readFileSync(path.join(import.meta.dirname, 'page', 'drawing.css'), 'utf8');

const kept = (file: string, drawn: string): string => {
  const place = path.join(root, file);
  if (process.env.UPDATE_DRAWINGS === '1') writeFileSync(place, drawn);
  return readFileSync(place, 'utf8');
};

/** A change of behaviour shows as a change of picture. UPDATE_DRAWINGS=1 draws anew. */
describe.each(machines.map((one) => [one.id, one] as const))('the drawing of %s', (_, { machine, drawing }) => {
  it('is told for a review', () => {
    const told = drawingOf(machine);
    expect(kept(drawing, told)).toBe(told);
  });

  it('is drawn for people', () => {
    const drawn = fileOf(machine, style);
    expect(kept(drawing.replace(/mmd$/, 'svg'), drawn) === drawn, 'as it is kept').toBe(true);
  });
});
