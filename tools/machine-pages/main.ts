import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machines } from '../../tests/machines/models/index.ts';
import { subjectsOf, writeSite } from './site.ts';

const help = `Writes pages about every state machine: diagram, states, events, guards, delays, ports and paths.
They open from disk, without a network.

  npm run machines -- [--out DIR]

  --out DIR   folder of the pages; default dist-machines
  --help
`;

const root = path.join(import.meta.dirname, '..', '..');

/** Returns whether the folder is missing, empty, or holds earlier pages. */
const isFree = (out: string): boolean =>
  !existsSync(out) || readdirSync(out).length === 0 || existsSync(path.join(out, 'drawing.css'));

const run = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'dist-machines' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const out = path.resolve(values.out);
  if (!isFree(out)) {
    process.stderr.write(`${out} contains other files. Choose an empty folder, or one that does not exist yet.\n`);
    return 1;
  }
  await writeSite(root, out, subjectsOf(root, machines));
  process.stdout.write(`${machines.length} machines: ${path.join(out, 'index.html')}\n`);
  return 0;
};

try {
  process.exitCode = await run();
} catch (error) {
  // The message of parseArgs names the unknown option.
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  process.stderr.write(`${error.message}\n\n${help}`);
  process.exitCode = 1;
}
