import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { machines } from '../models/index.ts';
import { Complaint } from './complaint.ts';
import { changesFile, filesOf, textOf, type WrittenFile } from './files.ts';
import { helpText, type Options, optionsOf } from './options.ts';
import { pathsOfRevision } from './revision.ts';
import { changesSince } from './since.ts';
import { wordsOf } from './words.ts';
import { testPathsOf } from './written.ts';

const ids = machines.map(({ id }) => id);

const write = (folder: string, files: readonly WrittenFile[]): void => {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) writeFileSync(path.join(folder, name), text);
};

const run = ({ machine, language, format, out, since, ...wish }: Options): void => {
  const words = wordsOf(language);
  const asked = machines.filter(({ id }) => machine === null || id === machine);
  const paths = testPathsOf(asked, since === null ? wish : { ...wish, walks: 0 }, words);
  if (since !== null) {
    const before = pathsOfRevision(since, { machine, cover: wish.cover, language });
    const file = changesFile(changesSince(since, before.paths, paths, words), format, words);
    if (out === null) process.stdout.write(file.text);
    else write(out, [file]);
    return;
  }
  if (out === null) {
    process.stdout.write(textOf(paths, format, words));
    return;
  }
  write(out, filesOf(paths, format, words));
  for (const { id, paths: all, goals, unreached } of paths.machines)
    process.stdout.write(`${id}: ${all.length} paths, ${goals - unreached.length} of ${goals} ${wish.cover}\n`);
};

try {
  const options = optionsOf(process.argv.slice(2), ids);
  if (options) run(options);
  else process.stdout.write(helpText(ids));
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  process.stderr.write(`${error.message}\nnpm run paths -- --help tells more.\n`);
  process.exitCode = 2;
}
