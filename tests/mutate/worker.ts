import path from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import type { Fault } from './draft.ts';
import { withFault } from './faults.ts';
import { root } from './source.ts';

/** Run these suites with this fault, or with none. */
export interface Order {
  readonly fault: Fault | null;
  readonly suites: readonly string[];
}

export interface Outcome {
  /** A test that failed; null when all passed. */
  readonly caughtBy: string | null;
  readonly message: string;
  readonly millisecondsOf: Readonly<Record<string, number>>;
}

let order: Order = { fault: null, suites: [] };
let readAnew = new Set<string>();

/** One process runs many faults: Vitest stays, and only the file with the fault is read anew. */
const vitest = await createVitest(
  {
    ...{ root, config: false, watch: false, silent: true, reporters: [{}] },
    ...{ include: ['tests/machines/*.test.ts'], environment: 'node', testTimeout: 60_000 },
    ...{ pool: 'threads', isolate: false, fileParallelism: false, maxWorkers: 1, fsModuleCache: false },
  },
  {
    logLevel: 'silent',
    plugins: [
      {
        name: 'fault',
        enforce: 'pre',
        transform: (code, id) => {
          const file = path.relative(root, id);
          readAnew.add(file);
          return file === order.fault?.file ? withFault(code, order.fault) : null;
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

/** The test runner failed, not a test. */
const ofTheRunner = /\[vitest-(?:pool|worker)\]|\[birpc\]|Failed to (?:start|terminate)/;

const carriedOut = async (next: Order): Promise<Outcome> => {
  const changed = [order.fault, next.fault].flatMap((fault) => fault?.file ?? []);
  order = next;
  readAnew = new Set();
  for (const file of changed) vitest.invalidateFile(path.join(root, file));
  const wanted = new Set(next.suites);
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications(
    specifications.filter(({ moduleId }) => wanted.has(path.relative(root, moduleId))),
  );
  // Vitest also tells what became of suites that ran earlier.
  const testModules = known.filter(({ moduleId }) => wanted.has(path.relative(root, moduleId)));
  const [failure] = testModules.flatMap((module) => failureOf(module) ?? []);
  // They come from another thread, as plain objects.
  const [unhandled] = unhandledErrors.map((error) => String((error as { readonly message?: string }).message));
  const message = failure?.message ?? unhandled ?? '';
  if (ofTheRunner.test(message)) throw new Error(message);
  if (next.fault && !readAnew.has(next.fault.file))
    throw new Error(`No suite has read ${next.fault.file} anew: ${message}`);
  return {
    caughtBy: failure?.name ?? (unhandled === undefined ? null : 'an error that nobody caught'),
    message: message.slice(0, 300),
    millisecondsOf: Object.fromEntries(
      testModules.map((module) => [path.relative(root, module.moduleId), module.diagnostic().duration]),
    ),
  };
};

process.on('message', (next: Order) => {
  carriedOut(next).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.(String(error)),
  );
});
// Who ordered is gone.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
