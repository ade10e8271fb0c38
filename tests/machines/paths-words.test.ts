import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/views/language/languages.ts';
import { nodesOf } from '../paths.ts';
import { type Modelled, machines } from './models/index.ts';

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../locales', language, 'machines.json'), 'utf8'));

const answer = /^xstate\.(done|error)\.actor\.(.+)$/;

/** Everything of a machine that a tester may read of. */
const keysOf = ({ id, machine, models }: Modelled): readonly string[] => {
  const nodes = nodesOf(machine);
  const types = [
    ...nodes.flatMap((node) => [...node.transitions.keys()]),
    ...models.flatMap((model) => model.events.map(({ type }) => type)),
  ];
  const { actors, guards, delays } = machine.implementations;
  return [
    `machine.${id}`,
    `machine.${id}.about`,
    ...models.map(({ name }) => `model.${id}.${name}`),
    ...nodes.filter(({ parent }) => parent).map((node) => `state.${node.id}`),
    ...types.flatMap((type) => {
      const [, kind, port] = answer.exec(type) ?? [];
      if (kind) return [`${kind === 'done' ? 'done' : 'failed'}.${id}.${port}`];
      return type.startsWith('xstate.after.') ? [] : [`event.${id}.${type}`];
    }),
    ...Object.keys(actors).map((name) => `port.${id}.${name}`),
    ...Object.keys(guards).map((name) => `guard.${id}.${name}`),
    ...Object.keys(delays).map((name) => `delay.${id}.${name}`),
  ];
};

describe.each(machines.map((one) => [one.id, one] as const))('the words of %s', (id, modelled) => {
  it.each(languages)('are all there in %s', (language) => {
    const texts = textsOf(language);
    const missing = [...new Set(keysOf(modelled))].filter((key) => (texts[key] ?? '').trim() === '');
    expect(missing).toEqual([]);
  });

  it('are of nothing that is gone', () => {
    const needed = new Set(keysOf(modelled));
    const left = Object.keys(textsOf('en')).filter((key) => {
      const [kind, ...rest] = key.split('.');
      // An answer that no model gives may still be awaited by the product.
      if (kind === 'paths' || kind === 'done' || kind === 'failed') return false;
      return (rest.join('.') === id || rest.join('.').startsWith(`${id}.`)) && !needed.has(key);
    });
    expect(left).toEqual([]);
  });
});
