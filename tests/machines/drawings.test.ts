import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../tools/machine-pages/svg.ts';
import { drawingOf } from './drawing.ts';
import { machines } from './models/index.ts';

const root = path.join(import.meta.dirname, '..', '..');
const style = readFileSync(path.join(import.meta.dirname, '../../tools/machine-pages/drawing.css'), 'utf8');

const savedDrawing = (file: string, drawing: string): string => {
  const place = path.join(root, file);
  if (process.env.UPDATE_DRAWINGS === '1') writeFileSync(place, drawing);
  return readFileSync(place, 'utf8');
};

/** A change of behaviour changes the saved drawing. UPDATE_DRAWINGS=1 writes the drawings. */
describe.each(machines.map((one) => [one.id, one] as const))('the drawing of %s', (_, { machine, drawing }) => {
  it('is saved as Mermaid', () => {
    const current = drawingOf(machine);
    expect(savedDrawing(drawing, current)).toBe(current);
  });

  it('is saved as SVG', () => {
    const current = fileOf(machine, style);
    expect(savedDrawing(drawing.replace(/mmd$/, 'svg'), current) === current, 'equal to the saved file').toBe(true);
  });
});
