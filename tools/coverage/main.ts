import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machines } from '../../tests/machines/models/index.ts';
import { journeys } from '../../tests/models/index.ts';
import { exceptions } from './exceptions.ts';
import { readWalked } from './folder.ts';
import { aspects, chartOf, errorsOf, lineOf, tableOf } from './report.ts';

// Combines the records, prints the report, and exits with 1 when something is not covered.
const root = path.dirname(path.dirname(import.meta.dirname));
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(root, 'test-results', 'cover') },
    /** Leaves out the journeys in the browser. */
    'without-journeys': { type: 'boolean', default: false },
  },
});

const files = existsSync(values.folder) ? readWalked(values.folder) : [];
const product = machines.map(({ machine }) => lineOf(files, chartOf(machine), 'paths'));
const inBrowser = Object.values(journeys).map((machine) => lineOf(files, chartOf(machine), 'journeys'));
const lines = values['without-journeys'] ? product : [...product, ...inBrowser];
const errors = errorsOf(lines, exceptions);

for (const aspect of aspects) process.stdout.write(`${tableOf(lines, aspect)}\n\n`);
for (const { machine, transition, reason } of exceptions)
  process.stdout.write(`Not covered: ${machine}: ${transition}: ${reason}\n`);
for (const error of errors) process.stdout.write(`${error}\n`);
writeFileSync(`${path.resolve(values.folder)}.json`, `${JSON.stringify({ lines, exceptions, errors }, null, 2)}\n`);
process.exit(errors.length === 0 ? 0 : 1);
