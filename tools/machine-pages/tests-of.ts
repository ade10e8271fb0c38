import path from 'node:path';
import { filesBelow, importsOf } from '../../tests/imports-of.ts';

/** Returns the test files that import each machine. */
export const testsOf = (root: string): ReadonlyMap<string, readonly string[]> => {
  const files = filesBelow(root, 'tests').concat(filesBelow(root, 'e2e'));
  const importsByFile = new Map(
    files.map((file) => [
      file,
      importsOf(root, file)
        .filter(({ own }) => own)
        .map(({ to }) => to),
    ]),
  );
  const testsByMachine = new Map<string, string[]>();
  for (const [file, imported] of importsByFile) {
    if (!/\.(test|spec)\.tsx?$/.test(file)) continue;
    for (const target of new Set(imported)) {
      const machine = /^src\/machines\/([^/]+)\/\1\.machine\.ts$/.exec(target)?.[1];
      if (machine) testsByMachine.set(machine, [...(testsByMachine.get(machine) ?? []), file]);
    }
  }
  return new Map([...testsByMachine].map(([machine, tests]) => [machine, tests.sort()]));
};

/** Returns the relative address of a file of the repository from a folder, with forward slashes. */
export const addressOf = (root: string, from: string, file: string): string =>
  path.relative(from, path.join(root, file)).split(path.sep).map(encodeURIComponent).join('/');
