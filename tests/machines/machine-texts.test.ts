import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodesOf } from '../paths.ts';
import { type Modelled, machines } from './models/index.ts';

const file = path.join(import.meta.dirname, '../../tools/machine-texts.json');
const texts: Readonly<Record<string, string>> = JSON.parse(readFileSync(file, 'utf8'));

const reply = /^xstate\.(done|error)\.actor\.(.+)$/;

/** Returns the keys of all texts that testers may see of a machine. */
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
      const [, kind, port] = reply.exec(type) ?? [];
      if (kind) return [`${kind === 'done' ? 'done' : 'failed'}.${id}.${port}`];
      return type.startsWith('xstate.after.') ? [] : [`event.${id}.${type}`];
    }),
    ...Object.keys(actors).map((name) => `port.${id}.${name}`),
    ...Object.keys(guards).map((name) => `guard.${id}.${name}`),
    ...Object.keys(delays).map((name) => `delay.${id}.${name}`),
  ];
};

describe.each(machines.map((one) => [one.id, one] as const))('the texts of %s', (id, modelled) => {
  it('are complete', () => {
    expect([...new Set(keysOf(modelled))].filter((key) => (texts[key] ?? '').trim() === '')).toEqual([]);
  });

  it('are all used', () => {
    const needed = new Set(keysOf(modelled));
    const unused = Object.keys(texts).filter((key) => {
      const [kind, ...rest] = key.split('.');
      // A reply that no model gives may still be handled by the program.
      if (kind === 'done' || kind === 'failed') return false;
      return (rest.join('.') === id || rest.join('.').startsWith(`${id}.`)) && !needed.has(key);
    });
    expect(unused).toEqual([]);
  });
});
