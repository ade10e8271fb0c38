import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { equivalent } from './mutate/equivalent.ts';
import { allFaults, faultsOf, withFault } from './mutate/faults.ts';
import { scoreOf } from './mutate/report.ts';
import { sampled } from './mutate/sampled.ts';
import { machineIds, root } from './mutate/source.ts';
import { suiteRunner } from './mutate/suite-runner.ts';
import { suitesOf } from './mutate/suites.ts';

const faults = allFaults();
const ofKind = (machine: string, kind: string, where: string) =>
  faultsOf(machine).find((fault) => fault.kind === kind && fault.where === where);

describe('faults', () => {
  it('are found in every machine, each with a name of its own', () => {
    for (const machine of machineIds) expect(faultsOf(machine).length, machine).toBeGreaterThan(20);
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  it('keep their names while other lines of the file change', () => {
    const fault = ofKind('connection', 'delay halved', 'delays.retryDelay');
    expect(fault).toMatchObject({ original: '5_000', instead: '(5_000) * 0.5' });
    expect(fault?.id).toBe('connection-4352e99');
  });

  it('change what they say, and nothing else', () => {
    for (const fault of faults) {
      const text = readFileSync(path.join(root, fault.file), 'utf8');
      const faulty = withFault(text, fault);
      expect(faulty, fault.id).not.toBe(text);
      expect(faulty.endsWith(text.slice(fault.end)), fault.id).toBe(true);
      expect(text.slice(fault.start, fault.end), fault.id).toBe(fault.original);
    }
  });

  it('lead to another state of the same family when a transition is retargeted', () => {
    expect(ofKind('connection', 'retargeted', 'open.live.on.connection.lost')).toMatchObject({
      original: "'reconnecting'",
      instead: "'connecting'",
    });
    expect(ofKind('bank-id', 'retargeted', 'order.open.starting.startOrder.onError')).toMatchObject({
      original: "'#bank-id.order.failed'",
      instead: "'#bank-id.order.cancelled'",
    });
  });

  it('without an effect are named with a reason, and are all there', () => {
    const known = new Set(faults.map(({ id }) => id));
    expect(Object.keys(equivalent).filter((id) => !known.has(id))).toEqual([]);
    for (const [id, reason] of Object.entries(equivalent)) expect(reason.length, id).toBeGreaterThan(20);
  });

  it('are drawn by a seed: the same for the same, others for another', () => {
    const [once, again, other] = [7, 7, 8].map((seed) => sampled(faults, 20, seed).map(({ id }) => id));
    expect(once).toEqual(again);
    expect(once).not.toEqual(other);
    expect(once).toHaveLength(20);
  });

  it('are counted without those that have no effect', () => {
    const [first, second, third] = faultsOf('connection');
    if (!first || !second || !third) throw new Error('There are faults');
    const verdicts = [
      { fault: first, caughtBy: 'a test' },
      { fault: second, caughtBy: null },
      { fault: third, caughtBy: 'a test' },
    ];
    expect(scoreOf('connection', verdicts)).toMatchObject({
      faults: 3,
      caught: 2,
      percent: 66.6,
      survivors: [second.id],
    });
  });
});

describe('suites', () => {
  it('count when they say what a machine shall do, not when they compare it with a drawing', () => {
    expect(suitesOf('connection')).toContain('tests/machines/connection.faults.test.ts');
    expect(suitesOf('connection')).toContain('tests/machines/connection.paths.test.ts');
    expect(suitesOf('connection')).not.toContain('tests/machines/drawings.test.ts');
    expect(suitesOf('connection')).not.toContain('tests/machines/bank-id.paths.test.ts');
  });
});

/** Each begins a process with a test runner of its own. */
const patience = { timeout: 180_000 };

describe('a run', patience, () => {
  const runner = suiteRunner();
  afterAll(runner.end);
  const suites = ['tests/machines/patient-search.faults.test.ts'];
  const run = (fault: (typeof faults)[number] | null) => runner.run({ fault, suites }, 120_000);
  const known = (kind: string, where: string) => {
    const fault = ofKind('patient-search', kind, where);
    if (!fault) throw new Error(`No fault "${kind}" at ${where}`);
    return fault;
  };

  it('catches a delay that is too short, and a machine that is whole passes before and after', async () => {
    expect(await run(null)).toMatchObject({ caughtBy: null });
    const { caughtBy } = await run(known('delay halved', 'delays.debounce'));
    expect(caughtBy).toContain('asks half a second after the last letter');
    expect(await run(null)).toMatchObject({ caughtBy: null });
  });

  it('lets a fault live that changes nothing', async () => {
    const fault = known('reentry removed', '(root).on.text.changed.1');
    expect(equivalent[fault.id]).toBeDefined();
    expect(await run(fault)).toMatchObject({ caughtBy: null });
  });

  it('counts a machine that goes on without end as caught', async () => {
    const endless = { ...known('handler removed', '(root).on.search.cleared') };
    const { caughtBy } = await runner.run(
      { fault: { ...endless, instead: `[(() => { for (;;); })()]: {},` }, suites },
      5_000,
    );
    expect(caughtBy).toContain('time');
    expect(await run(null)).toMatchObject({ caughtBy: null });
  });
});
