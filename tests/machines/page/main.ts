import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { machines } from '../models/index.ts';
import { subjectsOf, writeSite } from './site.ts';

const help = `Writes pages about every machine of the product: drawings, states, events, conditions, delays, ports, paths.
They open from the disk, in four languages, without a network.

  npm run machines -- [--out DIR]

  --out DIR   where they go; dist-machines unless you say otherwise
  --help      this
`;

const root = path.join(import.meta.dirname, '..', '..', '..');

/** A folder with something else in it is nobody's to write over. */
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
    process.stderr.write(`There is something else in ${out}. Name an empty folder, or one that does not exist yet.\n`);
    return 1;
  }
  await writeSite(root, out, subjectsOf(root, machines));
  process.stdout.write(`${machines.length} machines: ${path.join(out, 'index.html')}\n`);
  return 0;
};

try {
  process.exitCode = await run();
} catch (error) {
  // parseArgs says plainly what it does not know.
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  process.stderr.write(`${error.message}\n\n${help}`);
  process.exitCode = 1;
}
