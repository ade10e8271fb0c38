import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { drawingOf } from './drawing.ts';
import { machines } from './models/index.ts';

/** A change of behaviour shows as a change of picture. UPDATE_DRAWINGS=1 draws anew. */
it.each(machines.map((one) => [one.id, one] as const))('has the drawing of %s', (_, { machine, drawing }) => {
  const file = path.join(import.meta.dirname, '..', '..', drawing);
  const drawn = drawingOf(machine);
  if (process.env.UPDATE_DRAWINGS === '1') writeFileSync(file, drawn);
  expect(readFileSync(file, 'utf8')).toBe(drawn);
});
