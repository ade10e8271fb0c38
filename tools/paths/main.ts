import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { machines } from '../../tests/machines/models/index.ts';
import { changesFile, filesOf, type TextFile, textOf } from './files.ts';
import { helpText, type Options, optionsOf } from './options.ts';
import { testPathsOf } from './path-documents.ts';
import { pathsOfRevision } from './revision.ts';
import { changesSince } from './since.ts';
import { UsageError } from './usage-error.ts';

const ids = machines.map(({ id }) => id);

const write = (folder: string, files: readonly TextFile[]): void => {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) writeFileSync(path.join(folder, name), text);
};

const run = ({ machine, cover, walks, seed, format, out, since }: Options): void => {
  const chosen = machines.filter(({ id }) => machine === null || id === machine);
  const paths = testPathsOf(chosen, { cover, walks: since === null ? walks : 0, seed });
  if (since !== null) {
    const file = changesFile(changesSince(since, pathsOfRevision(since, machine, cover), paths), format);
    if (out === null) process.stdout.write(file.text);
    else write(out, [file]);
    return;
  }
  if (out === null) {
    process.stdout.write(textOf(paths, format));
    return;
  }
  write(out, filesOf(paths, format));
  for (const { id, paths: all, goals, unreached } of paths.machines)
    process.stdout.write(`${id}: ${all.length} paths, ${goals - unreached.length} of ${goals} ${cover}\n`);
};

try {
  const options = optionsOf(process.argv.slice(2), ids);
  if (options) run(options);
  else process.stdout.write(helpText(ids));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\nSee npm run paths -- --help.\n`);
  process.exitCode = 2;
}
