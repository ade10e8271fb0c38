import { readdirSync } from 'node:fs';
import path from 'node:path';
import { folderOf, isSyntax, read, root, type Syntax, stringOf } from './source.ts';

/** Suites that load this file compare with saved files: they fail for every change. */
const catalogue = 'tests/machines/models/index.ts';

const isOfTypes = (node: Syntax): boolean => {
  const named = Array.isArray(node.specifiers) ? (node.specifiers as readonly Syntax[]) : [];
  const kind = node.importKind ?? node.exportKind;
  return kind === 'type' || (named.length > 0 && named.every(({ importKind }) => importKind === 'type'));
};

/** Returns the files of the repository that a file imports, without type imports. */
const importsOf = (file: string): readonly string[] =>
  (read(file).program.body as readonly Syntax[])
    .filter((node) => isSyntax(node.source) && !isOfTypes(node))
    .map(({ source }) => stringOf(source as Syntax) ?? '')
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => path.posix.join(path.posix.dirname(file), name));

/** Returns all files that a file loads, directly or indirectly. */
const dependenciesOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const loaded of importsOf(file)) {
    if (seen.has(loaded)) continue;
    seen.add(loaded);
    dependenciesOf(loaded, seen);
  }
  return seen;
};

const all: readonly (readonly [string, ReadonlySet<string>])[] = readdirSync(path.join(root, 'tests', 'machines'))
  .filter((name) => name.endsWith('.test.ts'))
  .sort()
  .map((name) => path.posix.join('tests', 'machines', name))
  .map((file) => [file, dependenciesOf(file)] as const);

/** Returns the suites that load a machine and check its behaviour. */
export const suitesOf = (machine: string): readonly string[] =>
  all
    .filter(
      ([, dependencies]) =>
        dependencies.has(`${folderOf(machine)}/${machine}.machine.ts`) && !dependencies.has(catalogue),
    )
    .map(([file]) => file);

const shortMs = 500;

/** Returns the suites in stages: the machine's own rules, then short suites, then the others one by one. */
export const stagesFor = (
  machine: string,
  suites: readonly string[],
  millisecondsOf: Readonly<Record<string, number>>,
): readonly (readonly string[])[] => {
  const durationOf = (suite: string) => millisecondsOf[suite] ?? 0;
  const isOwn = (suite: string) => new RegExp(`/${machine}[-\\w]*\\.errors\\.test\\.ts$`).test(suite);
  const others = suites.filter((suite) => !isOwn(suite)).toSorted((one, other) => durationOf(one) - durationOf(other));
  return [
    suites.filter(isOwn),
    others.filter((suite) => durationOf(suite) < shortMs),
    ...others.filter((suite) => durationOf(suite) >= shortMs).map((suite) => [suite]),
  ].filter((stage) => stage.length > 0);
};
