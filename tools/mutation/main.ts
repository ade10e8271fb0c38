import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { equivalent } from './equivalent.ts';
import { allMutants, mutantsOf } from './mutants.ts';
import type { Mutant } from './mutation.ts';
import { descriptionOf, requiredPercent, scoreOf, tableOf, type Verdict } from './report.ts';
import { sampled } from './sampled.ts';
import { machineIds, root } from './source.ts';
import { suiteRunner } from './suite-runner.ts';
import { stagesFor, suitesOf } from './suites.ts';

const help = `Changes the machines, one mutation at a time, and reports how many mutants the tests kill.

  npm run mutate                             every mutant of every machine
  npm run mutate -- --machine session        of one machine; may be given several times
  npm run mutate -- --sample 50 --seed 7     so many of each machine; the same ones for the same seed
  npm run mutate -- --mutant session-1a2b3c4 runs one mutant again, with the message of its test
  npm run mutate -- --list                   lists the mutants and runs nothing
  npm run mutate -- --out FILE               file of the report (test-results/mutate.json)

Fails when fewer than ${requiredPercent} percent are killed in a machine, equivalent mutants (tools/mutation/equivalent.ts) excluded.
`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

const wholeNumber = (name: string, text: string): number =>
  /^\d+$/.test(text) ? Number(text) : fail(`--${name} takes a whole number, not "${text}"`);

const parsed = () => {
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

const options = parsed();
if (options.help) {
  process.stdout.write(help);
  process.exit(0);
}

const chosenMutants = (): readonly Mutant[] => {
  if (options.mutant) {
    const known = new Map(allMutants().map((mutant) => [mutant.id, mutant]));
    return options.mutant.map((id) => known.get(id) ?? fail(`There is no mutant ${id}; --list lists all`));
  }
  const machines = options.machine ?? machineIds;
  const unknown = machines.find((name) => !machineIds.includes(name));
  if (unknown !== undefined) fail(`There is no machine ${unknown}. Machines: ${machineIds.join(', ')}`);
  const { sample, seed } = options;
  return machines.flatMap((name) =>
    sample === undefined
      ? mutantsOf(name)
      : sampled(mutantsOf(name), wholeNumber('sample', sample), wholeNumber('seed', seed)),
  );
};

const mutants = chosenMutants();
if (options.list) {
  for (const mutant of mutants) process.stdout.write(`${descriptionOf(mutant)}\n`);
  process.exit(0);
}

const runner = suiteRunner();

/** Returns the suites of a machine in stages, the shortest first. They must pass without a mutant. */
const stagesOf = async (machine: string) => {
  const suites = suitesOf(machine);
  const { killedBy, message, millisecondsOf } = await runner.run({ mutant: null, suites }, 600_000);
  if (killedBy !== null) {
    runner.end();
    fail(`Fails without a mutant: ${killedBy}\n${message}`);
  }
  const all = suites.reduce((sum, suite) => sum + (millisecondsOf[suite] ?? 0), 0);
  return { stages: stagesFor(machine, suites, millisecondsOf), timeoutMs: Math.max(60_000, 20 * all) };
};

/** Runs the stages until a test fails. */
const runStages = async (mutant: Mutant, { stages, timeoutMs }: Awaited<ReturnType<typeof stagesOf>>) => {
  for (const suites of stages) {
    const { killedBy, message } = await runner.run({ mutant, suites }, timeoutMs);
    if (killedBy !== null) return { killedBy, message };
  }
  return { killedBy: null, message: '' };
};

const verdicts: Verdict[] = [];
const machines = [...new Set(mutants.map(({ machine }) => machine))];
for (const machine of machines) {
  const plan = await stagesOf(machine);
  const mine = mutants.filter((mutant) => mutant.machine === machine);
  process.stdout.write(`${machine}: ${mine.length} mutants, ${plan.stages.flat().length} suites\n`);
  for (const [place, mutant] of mine.entries()) {
    if (place > 0 && place % 50 === 0) process.stdout.write(`  ${place} of ${mine.length} run\n`);
    const { killedBy, message } = await runStages(mutant, plan);
    verdicts.push({ mutant, killedBy });
    if (options.mutant)
      process.stdout.write(`${descriptionOf(mutant)}\n    ${killedBy ?? 'survives'}\n    ${message}\n`);
    else if (killedBy === null && equivalent[mutant.id] === undefined)
      process.stdout.write(`  survives  ${descriptionOf(mutant)}\n`);
  }
}
runner.end();

const scores = machines.map((machine) => scoreOf(machine, verdicts));
mkdirSync(path.dirname(options.out), { recursive: true });
writeFileSync(options.out, `${JSON.stringify({ scores, verdicts }, null, 2)}\n`);
process.stdout.write(`\n${tableOf(scores)}\n`);
for (const id of scores.flatMap(({ wronglyEquivalent }) => wronglyEquivalent))
  process.stdout.write(`\n${id} is listed as equivalent (tools/mutation/equivalent.ts), but a test kills it.\n`);
const isGood = scores.every(
  ({ percent, wronglyEquivalent }) => percent >= requiredPercent && wronglyEquivalent.length === 0,
);
process.exit(isGood || options.mutant ? 0 : 1);
