import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { instructionFor, instructions } from '../../tools/paths/instructions/index.ts';
import { label } from '../../tools/paths/instructions/instruction.ts';
import { alphabetOf, nodesOf } from '../paths.ts';
import { machines } from './models/index.ts';

describe.each(machines.map((one) => [one.id, one] as const))('the instructions of %s', (id, modelled) => {
  const { machine, models, raised } = modelled;
  const given = models.flatMap((model) => {
    const initial = createActor(model.machine, { input: model.input }).getSnapshot();
    return alphabetOf(model, raised).map((event) => ({ type: event.type, ...instructionFor(model, event, initial) }));
  });

  it('describe how to cause every event of the models', () => {
    expect(given.filter(({ how }) => !/^\S.*\.$/s.test(how))).toEqual([]);
    expect(given.filter(({ tool }) => tool !== null && tool.trim() === '')).toEqual([]);
  });

  it('give the length of every delay', () => {
    for (const { type, how } of given.filter(({ type }) => type.startsWith('xstate.after.')))
      expect(how, type).toMatch(/Wait (\d+(\.\d+)? (ms|s|min) ?)+\.$/);
  });

  it('cover every reply that the machine handles, and no others', () => {
    const ports = new Set(nodesOf(machine).flatMap((node) => node.invoke.map((one) => one.id)));
    const handled = nodesOf(machine).flatMap((node) => [...node.transitions.keys()]);
    const repliesOf = (port: string) =>
      Object.keys(instructions[id]?.replies ?? {}).filter((key) => key.startsWith(`${port} `));
    const lacking = handled.flatMap((type) => {
      const [, kind, port = ''] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
      if (!kind) return [];
      return repliesOf(port).some((key) => (key === `${port} done`) === (kind === 'done')) ? [] : [type];
    });
    expect(lacking).toEqual([]);
    expect(Object.keys(instructions[id]?.replies ?? {}).filter((key) => !ports.has(key.split(' ')[0] ?? ''))).toEqual(
      [],
    );
  });
});

describe('labels of the program', () => {
  it('are quoted as they are shown', () => {
    expect(label('sign-in:submit')).toBe('"Sign in"');
    expect(label('shell:leaveClinic')).toBe('"Leave clinic …"');
  });

  it('must exist', () => {
    expect(() => label('sign-in:missing')).toThrow('locales/en has no "sign-in:missing"');
  });
});
