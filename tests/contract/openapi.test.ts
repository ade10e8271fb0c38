import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { openapi } from './openapi.ts';

const file = path.join(import.meta.dirname, '..', '..', 'contract', 'openapi.json');

it('is what contract/openapi.json says (UPDATE_OPENAPI=1 writes it anew)', () => {
  const now = `${JSON.stringify(openapi(), null, 2)}\n`;
  if (process.env.UPDATE_OPENAPI) writeFileSync(file, now);
  expect(readFileSync(file, 'utf8')).toBe(now);
});

it('has one call for each method and path', () => {
  const calls = (Object.values(routes) as Route[]).map(({ method, path: place }) => `${method} ${place}`);
  expect(new Set(calls).size).toBe(calls.length);
});
