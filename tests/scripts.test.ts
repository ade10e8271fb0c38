import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const scripts = path.join(root, 'scripts');

const started = readdirSync(scripts).flatMap((script) =>
  [...readFileSync(path.join(scripts, script), 'utf8').matchAll(/await become\(([^)]+)\)/g)].map(([, parts = '']) => ({
    script,
    program: [...parts.matchAll(/'([^']+)'/g)].map(([, part = '']) => part).join('/'),
  })),
);

it('each script starts a program that exists', () => {
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter(({ program }) => !existsSync(path.join(root, program)))).toEqual([]);
});
