import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isSyntax, read, root, type Syntax, stringOf } from './source.ts';

/** Drawings, kept paths and the pages for testers compare with what was before: they notice any change, and prove nothing about it. */
const catalogue = 'tests/machines/models/index.ts';

const isOfTypes = (node: Syntax): boolean => {
  const named = Array.isArray(node.specifiers) ? (node.specifiers as readonly Syntax[]) : [];
  const kind = node.importKind ?? node.exportKind;
  return kind === 'type' || (named.length > 0 && named.every(({ importKind }) => importKind === 'type'));
};

/** Our own files that a file loads; types are not loaded. */
const loadedBy = (file: string): readonly string[] =>
  (read(file).program.body as readonly Syntax[])
    .filter((node) => isSyntax(node.source) && !isOfTypes(node))
    .map(({ source }) => stringOf(source as Syntax) ?? '')
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => path.posix.join(path.posix.dirname(file), name));

/** All that a file loads, near and far. */
const reachOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const loaded of loadedBy(file)) {
    if (seen.has(loaded)) continue;
    seen.add(loaded);
    reachOf(loaded, seen);
  }
  return seen;
};

const all: readonly (readonly [string, ReadonlySet<string>])[] = readdirSync(path.join(root, 'tests', 'machines'))
  .filter((name) => name.endsWith('.test.ts'))
  .sort()
  .map((name) => path.posix.join('tests', 'machines', name))
  .map((file) => [file, reachOf(file)] as const);

/** The suites that load a machine and count as catching: those that say what it shall do. */
export const suitesOf = (machine: string): readonly string[] =>
  all
    .filter(([, reach]) => reach.has(`src/machines/${machine}/${machine}.machine.ts`) && !reach.has(catalogue))
    .map(([file]) => file);

const briefMs = 500;

/** The machine's own rules first, then what is over in a moment, then the rest one by one. */
export const inStages = (
  machine: string,
  suites: readonly string[],
  millisecondsOf: Readonly<Record<string, number>>,
): readonly (readonly string[])[] => {
  const lasts = (suite: string) => millisecondsOf[suite] ?? 0;
  const isOwn = (suite: string) => new RegExp(`/${machine}[-\\w]*\\.faults\\.test\\.ts$`).test(suite);
  const others = suites.filter((suite) => !isOwn(suite)).toSorted((one, other) => lasts(one) - lasts(other));
  return [
    suites.filter(isOwn),
    others.filter((suite) => lasts(suite) < briefMs),
    ...others.filter((suite) => lasts(suite) >= briefMs).map((suite) => [suite]),
  ].filter((stage) => stage.length > 0);
};
