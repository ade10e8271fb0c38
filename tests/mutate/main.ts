import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Fault } from './draft.ts';
import { equivalent } from './equivalent.ts';
import { allFaults, faultsOf } from './faults.ts';
import { described, least, scoreOf, tableOf, type Verdict } from './report.ts';
import { sampled } from './sampled.ts';
import { machineIds, root } from './source.ts';
import { suiteRunner } from './suite-runner.ts';
import { inStages, suitesOf } from './suites.ts';

const help = `Puts faults into the machines, one at a time, and says how many of them the tests notice.

  npm run mutate                             every fault of every machine
  npm run mutate -- --machine session        of one machine; may be given several times
  npm run mutate -- --sample 50 --seed 7     so many of each machine, the same ones for the same seed
  npm run mutate -- --mutant session-1a2b3c4 one fault again, with what its test says
  npm run mutate -- --list                   names the faults and runs nothing
  npm run mutate -- --out FILE               where the report is written (test-results/mutate.json)

It fails when fewer than ${least} of 100 are noticed in a machine, faults without an effect (tests/mutate/equivalent.ts) apart.
`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

const wholeNumber = (name: string, text: string): number =>
  /^\d+$/.test(text) ? Number(text) : fail(`--${name} takes a whole number, not "${text}"`);

const given = () => {
  try {
    return parseArgs({
      options: {
        machine: { type: 'string', multiple: true },
        sample: { type: 'string' },
        seed: { type: 'string', default: '1' },
        mutant: { type: 'string', multiple: true },
        list: { type: 'boolean', default: false },
        out: { type: 'string', default: path.join(root, 'test-results', 'mutate.json') },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${help}`);
  }
};

const options = given();
if (options.help) {
  process.stdout.write(help);
  process.exit(0);
}

const chosenFaults = (): readonly Fault[] => {
  if (options.mutant) {
    const known = new Map(allFaults().map((fault) => [fault.id, fault]));
    return options.mutant.map((id) => known.get(id) ?? fail(`No fault is called ${id}; --list names all there are`));
  }
  const machines = options.machine ?? machineIds;
  const unknown = machines.find((name) => !machineIds.includes(name));
  if (unknown !== undefined) fail(`No machine is called ${unknown}. There are: ${machineIds.join(', ')}`);
  const { sample, seed } = options;
  return machines.flatMap((name) =>
    sample === undefined
      ? faultsOf(name)
      : sampled(faultsOf(name), wholeNumber('sample', sample), wholeNumber('seed', seed)),
  );
};

const faults = chosenFaults();
if (options.list) {
  for (const fault of faults) process.stdout.write(`${described(fault)}\n`);
  process.exit(0);
}

const runner = suiteRunner();

/** The suites of a machine in the order in which they are asked, those that are over soonest first; they must hold when nothing is wrong. */
const stagesOf = async (machine: string) => {
  const suites = suitesOf(machine);
  const { caughtBy, message, millisecondsOf } = await runner.run({ fault: null, suites }, 600_000);
  if (caughtBy !== null) {
    runner.end();
    fail(`Without any fault this fails already: ${caughtBy}\n${message}`);
  }
  const all = suites.reduce((sum, suite) => sum + (millisecondsOf[suite] ?? 0), 0);
  return { stages: inStages(machine, suites, millisecondsOf), patienceMs: Math.max(60_000, 20 * all) };
};

/** The first test that notices a fault; later suites are not asked. */
const noticed = async (fault: Fault, { stages, patienceMs }: Awaited<ReturnType<typeof stagesOf>>) => {
  for (const suites of stages) {
    const { caughtBy, message } = await runner.run({ fault, suites }, patienceMs);
    if (caughtBy !== null) return { caughtBy, message };
  }
  return { caughtBy: null, message: '' };
};

const verdicts: Verdict[] = [];
const machines = [...new Set(faults.map(({ machine }) => machine))];
for (const machine of machines) {
  const way = await stagesOf(machine);
  const mine = faults.filter((fault) => fault.machine === machine);
  process.stdout.write(`${machine}: ${mine.length} faults, ${way.stages.flat().length} suites\n`);
  for (const [place, fault] of mine.entries()) {
    if (place > 0 && place % 50 === 0) process.stdout.write(`  ${place} of ${mine.length} tried\n`);
    const { caughtBy, message } = await noticed(fault, way);
    verdicts.push({ fault, caughtBy });
    if (options.mutant) process.stdout.write(`${described(fault)}\n    ${caughtBy ?? 'survives'}\n    ${message}\n`);
    else if (caughtBy === null && equivalent[fault.id] === undefined)
      process.stdout.write(`  survives  ${described(fault)}\n`);
  }
}
runner.end();

const scores = machines.map((machine) => scoreOf(machine, verdicts));
mkdirSync(path.dirname(options.out), { recursive: true });
writeFileSync(options.out, `${JSON.stringify({ scores, verdicts }, null, 2)}\n`);
process.stdout.write(`\n${tableOf(scores)}\n`);
for (const id of scores.flatMap(({ wronglyListed }) => wronglyListed))
  process.stdout.write(`\n${id} is said to change nothing (tests/mutate/equivalent.ts), but a test notices it.\n`);
const isGood = scores.every(({ percent, wronglyListed }) => percent >= least && wronglyListed.length === 0);
process.exit(isGood || options.mutant ? 0 : 1);
