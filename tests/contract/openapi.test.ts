import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { openapiText } from './openapi.ts';

const file = path.join(import.meta.dirname, '..', '..', 'contract', 'openapi.json');

it('equals contract/openapi.json (UPDATE_OPENAPI=1 regenerates it)', () => {
  const now = openapiText();
  if (process.env.UPDATE_OPENAPI) writeFileSync(file, now);
  expect(readFileSync(file, 'utf8')).toBe(now);
});

it('has one call for each method and path', () => {
  const calls = (Object.values(routes) as Route[]).map(({ method, path: place }) => `${method} ${place}`);
  expect(new Set(calls).size).toBe(calls.length);
});

it('passes the linter of Redocly', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Two paths of the specification end with a slash.
      'no-path-trailing-slash': 'off',
      // `default` is the problem reply of every operation.
      'operation-4xx-response': 'off',
    },
  });
  const problems = await lint({ ref: file, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});
