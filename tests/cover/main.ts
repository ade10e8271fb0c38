import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machines } from '../machines/models/index.ts';
import { journeys } from '../models/index.ts';
import { exceptions } from './exceptions.ts';
import { readWalked } from './folder.ts';
import { aspects, chartOf, faultsOf, lineOf, tableOf } from './report.ts';

// Puts together what the runs have left, prints it, and ends with 1 when something was not walked.
const root = path.dirname(path.dirname(import.meta.dirname));
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(root, 'test-results', 'cover') },
    /** The browser was not asked: what only it walks is not missed. */
    'without-journeys': { type: 'boolean', default: false },
  },
});

const files = existsSync(values.folder) ? readWalked(values.folder) : [];
const product = machines.map(({ machine }) => lineOf(files, chartOf(machine), 'paths'));
const inBrowser = Object.values(journeys).map((machine) => lineOf(files, chartOf(machine), 'journeys'));
const lines = values['without-journeys'] ? product : [...product, ...inBrowser];
const faults = faultsOf(lines, exceptions);

for (const aspect of aspects) process.stdout.write(`${tableOf(lines, aspect)}\n\n`);
for (const { machine, transition, reason } of exceptions)
  process.stdout.write(`Not walked: ${machine}: ${transition}: ${reason}\n`);
for (const fault of faults) process.stdout.write(`${fault}\n`);
writeFileSync(`${path.resolve(values.folder)}.json`, `${JSON.stringify({ lines, exceptions, faults }, null, 2)}\n`);
process.exit(faults.length === 0 ? 0 : 1);
