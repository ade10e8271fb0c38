import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import {
  type FailedMethod,
  type FailureReason,
  failedMethods,
  failureReasons,
  lockoutKinds,
  type SignInListener,
} from '../domain/sign-in-failure.ts';
import { measureCalls } from './call-metrics.ts';
import { type ObservedParts, stateGauges } from './state-gauges.ts';

/** What becomes of the files of imports. */
const fileOutcomes = ['received', 'imported', 'duplicate', 'ignored', 'refused'] as const;
type FileOutcome = (typeof fileOutcomes)[number];
const isFileOutcome = (status: string): status is FileOutcome => fileOutcomes.some((known) => known === status);

/** Their labels are names of Node.js classes, of which there is no list. */
const withoutList = ['nodejs_active_handles', 'nodejs_active_requests', 'nodejs_active_resources'];

export interface Metrics {
  readonly contentType: string;
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>;
  readonly signIns: SignInListener;
  countFiles(status: string, files: number): void;
  measureCalls(server: FastifyInstance): void;
  /** Exports the state of these parts from now on. */
  observe(parts: ObservedParts): void;
  /** Exports memory, processor time and delays of the event loop from now on. */
  observeProcess(): void;
}

const signInCounters = (registry: Registry): SignInListener => {
  const failures = new Counter({
    name: 'dentarium_sign_in_failures_total',
    help: 'Failed sign-ins by method and reason; session: a token that was used before',
    labelNames: ['method', 'reason'],
    registers: [registry],
  });
  const lockouts = new Counter({
    name: 'dentarium_sign_in_lockouts_total',
    help: 'Attempts rejected unchecked after too many failures of an account, an address, the codes of an account or a service account',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const method of failedMethods) for (const reason of failureReasons) failures.inc({ method, reason }, 0);
  for (const kind of lockoutKinds) lockouts.inc({ kind }, 0);
  return {
    failed: (method: FailedMethod, reason: FailureReason) => failures.inc({ method, reason }),
    blocked: (kind) => lockouts.inc({ kind }),
  };
};

/** Creates the metrics of one node. */
export const createMetrics = (versions: { readonly version: string; readonly commit: string }): Metrics => {
  const registry = new Registry();
  const files = new Counter({
    name: 'dentarium_import_files_total',
    help: 'Files received for imports, and what became of them; a zip counts once as received, then each file in it',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of fileOutcomes) files.inc({ outcome }, 0);
  const build = new Gauge({
    name: 'dentarium_build_info',
    help: 'Version and commit of the running program; always 1',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  build.set(versions, 1);
  let update: () => Promise<void> = async () => undefined;
  return {
    contentType: registry.contentType,
    text: async () => {
      await update();
      return registry.metrics();
    },
    signIns: signInCounters(registry),
    countFiles: (outcome, count) => {
      if (isFileOutcome(outcome)) files.inc({ outcome }, count);
    },
    measureCalls: (server) => measureCalls(registry, server),
    observe: (parts) => {
      update = stateGauges(registry, parts);
    },
    observeProcess: () => {
      collectDefaultMetrics({ register: registry });
      for (const name of withoutList) registry.removeSingleMetric(name);
    },
  };
};
