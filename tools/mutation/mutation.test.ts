import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { equivalent } from './equivalent.ts';
import { allMutants, mutantsOf, withMutation } from './mutants.ts';
import { scoreOf } from './report.ts';
import { sampled } from './sampled.ts';
import { machineIds, root } from './source.ts';
import { suiteRunner } from './suite-runner.ts';
import { suitesOf } from './suites.ts';

const mutants = allMutants();
const ofKind = (machine: string, kind: string, where: string) =>
  mutantsOf(machine).find((mutant) => mutant.kind === kind && mutant.where === where);

describe('mutants', () => {
  it('exist for every machine, with unique ids', () => {
    for (const machine of machineIds) expect(mutantsOf(machine).length, machine).toBeGreaterThan(20);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  it('keep their ids while other lines of the file change', () => {
    const mutant = ofKind('connection', 'delay halved', 'delays.retryDelay');
    expect(mutant).toMatchObject({ original: '5_000', replacement: '(5_000) * 0.5' });
    expect(mutant?.id).toBe('connection-4352e99');
  });

  it('change only the described piece', () => {
    for (const mutant of mutants) {
      const text = readFileSync(path.join(root, mutant.file), 'utf8');
      const mutated = withMutation(text, mutant);
      expect(mutated, mutant.id).not.toBe(text);
      expect(mutated.endsWith(text.slice(mutant.end)), mutant.id).toBe(true);
      expect(text.slice(mutant.start, mutant.end), mutant.id).toBe(mutant.original);
    }
  });

  it('retarget a transition to a sibling state', () => {
    expect(ofKind('connection', 'retargeted', 'open.live.on.connection.lost')).toMatchObject({
      original: "'reconnecting'",
      replacement: "'connecting'",
    });
    expect(ofKind('bank-id', 'retargeted', 'order.open.starting.startOrder.onError')).toMatchObject({
      original: "'#bank-id.order.failed'",
      replacement: "'#bank-id.order.cancelled'",
    });
  });

  it('without an effect are listed with a reason, and exist', () => {
    const known = new Set(mutants.map(({ id }) => id));
    expect(Object.keys(equivalent).filter((id) => !known.has(id))).toEqual([]);
    for (const [id, reason] of Object.entries(equivalent)) expect(reason.length, id).toBeGreaterThan(20);
  });

  it('are sampled by a seed', () => {
    const [once, again, other] = [7, 7, 8].map((seed) => sampled(mutants, 20, seed).map(({ id }) => id));
    expect(once).toEqual(again);
    expect(once).not.toEqual(other);
    expect(once).toHaveLength(20);
  });

  it('are counted without equivalent ones', () => {
    const [first, second, third] = mutantsOf('connection');
    if (!first || !second || !third) throw new Error('Fewer than three mutants');
    const verdicts = [
      { mutant: first, killedBy: 'a test' },
      { mutant: second, killedBy: null },
      { mutant: third, killedBy: 'a test' },
    ];
    expect(scoreOf('connection', verdicts)).toMatchObject({
      mutants: 3,
      killed: 2,
      percent: 66.6,
      survivors: [second.id],
    });
  });
});

describe('suites', () => {
  it('are those that check behaviour, not those that compare with a diagram', () => {
    expect(suitesOf('connection')).toContain('tests/machines/connection.errors.test.ts');
    expect(suitesOf('connection')).toContain('tests/machines/connection.paths.test.ts');
    expect(suitesOf('connection')).not.toContain('tests/machines/drawings.test.ts');
    expect(suitesOf('connection')).not.toContain('tests/machines/bank-id.paths.test.ts');
  });
});

/** Each run starts a process with its own test runner. */
const slow = { timeout: 180_000 };

describe('a run', slow, () => {
  const runner = suiteRunner();
  afterAll(runner.end);
  const suites = ['tests/machines/patient-search.errors.test.ts'];
  const run = (mutant: (typeof mutants)[number] | null) => runner.run({ mutant, suites }, 120_000);
  const known = (kind: string, where: string) => {
    const mutant = ofKind('patient-search', kind, where);
    if (!mutant) throw new Error(`No mutant "${kind}" at ${where}`);
    return mutant;
  };

  it('kills a mutant with a shorter delay, and passes without a mutant before and after', async () => {
    expect(await run(null)).toMatchObject({ killedBy: null });
    const { killedBy } = await run(known('delay halved', 'delays.debounce'));
    expect(killedBy).toContain('searches half a second after the last letter');
    expect(await run(null)).toMatchObject({ killedBy: null });
  });

  it('does not kill an equivalent mutant', async () => {
    const mutant = known('reentry removed', '(root).on.text.changed.1');
    expect(equivalent[mutant.id]).toBeDefined();
    expect(await run(mutant)).toMatchObject({ killedBy: null });
  });

  it('kills a mutant that loops without end', async () => {
    const endless = { ...known('handler removed', '(root).on.search.cleared') };
    const { killedBy } = await runner.run(
      { mutant: { ...endless, replacement: `[(() => { for (;;); })()]: {},` }, suites },
      5_000,
    );
    expect(killedBy).toContain('time');
    expect(await run(null)).toMatchObject({ killedBy: null });
  });
});
