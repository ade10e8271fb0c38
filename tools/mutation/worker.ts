import path from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import { withMutation } from './mutants.ts';
import type { Mutant } from './mutation.ts';
import { root } from './source.ts';

/** Suites to run with a mutant, or without one. */
export interface MutantRun {
  readonly mutant: Mutant | null;
  readonly suites: readonly string[];
}

export interface RunResult {
  /** The first test that failed; null when all passed. */
  readonly killedBy: string | null;
  readonly message: string;
  readonly millisecondsOf: Readonly<Record<string, number>>;
}

let current: MutantRun = { mutant: null, suites: [] };
let transformed = new Set<string>();

/** One Vitest runs many mutants: only the mutated file is transformed again. */
const vitest = await createVitest(
  {
    root,
    config: false,
    watch: false,
    silent: true,
    reporters: [{}],
    include: ['tests/machines/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    pool: 'threads',
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    fsModuleCache: false,
  },
  {
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (code, id) => {
          const file = path.relative(root, id);
          transformed.add(file);
          return file === current.mutant?.file ? withMutation(code, current.mutant) : null;
        },
      },
    ],
  },
);
const specifications = await vitest.globTestSpecifications();

const failureOf = (module: TestModule): { readonly name: string; readonly message: string } | null => {
  const file = path.relative(root, module.moduleId);
  const [outside] = module.errors();
  if (outside) return { name: file, message: outside.message };
  for (const test of module.children.allTests('failed'))
    return { name: `${file} > ${test.fullName}`, message: test.result().errors?.[0]?.message ?? '' };
  return null;
};

/** Messages of errors of the test runner itself. */
const runnerError = /\[vitest-(?:pool|worker)\]|\[birpc\]|Failed to (?:start|terminate)/;

const execute = async (next: MutantRun): Promise<RunResult> => {
  const changed = [current.mutant, next.mutant].flatMap((mutant) => mutant?.file ?? []);
  current = next;
  transformed = new Set();
  for (const file of changed) vitest.invalidateFile(path.join(root, file));
  const requested = new Set(next.suites);
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications(
    specifications.filter(({ moduleId }) => requested.has(path.relative(root, moduleId))),
  );
  // Vitest also returns modules of earlier runs.
  const testModules = known.filter(({ moduleId }) => requested.has(path.relative(root, moduleId)));
  const [failure] = testModules.flatMap((module) => failureOf(module) ?? []);
  // Errors of another thread are plain objects.
  const [unhandled] = unhandledErrors.map((error) => String((error as { readonly message?: string }).message));
  const message = failure?.message ?? unhandled ?? '';
  if (runnerError.test(message)) throw new Error(message);
  if (next.mutant && !transformed.has(next.mutant.file))
    throw new Error(`No suite has loaded ${next.mutant.file} again: ${message}`);
  return {
    killedBy: failure?.name ?? (unhandled === undefined ? null : 'an unhandled error'),
    message: message.slice(0, 300),
    millisecondsOf: Object.fromEntries(
      testModules.map((module) => [path.relative(root, module.moduleId), module.diagnostic().duration]),
    ),
  };
};

process.on('message', (next: MutantRun) => {
  execute(next).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.(String(error)),
  );
});
// The parent process has ended.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
