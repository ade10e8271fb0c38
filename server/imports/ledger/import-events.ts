import type { Kysely } from 'kysely';
import type { HubEvent } from '../../../contract/hub.ts';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportTaskRow, setPercent } from '../../db/stores/imports.ts';
import { concernsProtected } from '../../db/stores/received-tasks.ts';
import type { Hub, HubGroup } from '../../hub/hub.ts';
import { Stopped } from '../../jobs/stopped.ts';

/** At most five events per second: each is a message to every open client. */
const minPauseMs = 200;

export interface Counter {
  /** Counts one more file. @throws Stopped when the import was cancelled */
  readonly tick: () => Promise<void>;
  /** Reports progress. @throws as above */
  readonly report: (done: number, total: number) => Promise<void>;
  /** Reports 100 percent once, also when there was nothing to do. */
  readonly finish: () => Promise<void>;
}

export interface ImportEvents {
  preparing(task: ImportTaskRow): Promise<void>;
  parsed(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  imported(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  /** Counts the files of a step and reports progress at a limited rate. */
  counter(task: ImportTaskRow, step: ImportStep, total: number, done: number): Counter;
}

/** The list of received imports has changed, which all users of the clinic see. */
const concernsClinic = ({ source, judged_at }: ImportTaskRow, { name, body }: HubEvent): boolean =>
  source !== null && (name === 'parsed' || name === 'imported') && (judged_at !== null || !body.succeeded);

/** Publishes the progress of imports to the users who started or confirmed them. Events that cannot be sent are lost; the ledger holds the state. */
export const createImportEvents = (db: Kysely<Schema>, hub: Hub, onFailure: (error: unknown) => void): ImportEvents => {
  const groupsOf = async (task: ImportTaskRow, event: HubEvent): Promise<HubGroup[]> => {
    const accountIds = new Set([task.account_id, task.confirmed_by].filter((id) => id !== null));
    const users = [...accountIds].map((id) => `user:${id}` as const);
    const isForAll = concernsClinic(task, event) && !(await concernsProtected(db, task.id));
    return isForAll ? [...users, `clinic:${task.customer_id}`] : users;
  };
  const publish = async (task: ImportTaskRow, event: HubEvent) => {
    try {
      const groups = await groupsOf(task, event);
      if (groups.length > 0) await hub.publish(groups, event);
    } catch (error) {
      onFailure(error);
    }
  };
  const outcome = (task: ImportTaskRow, succeeded: boolean) => ({ succeeded, result: { taskId: task.id } });

  const counter = (task: ImportTaskRow, step: ImportStep, total: number, before: number): Counter => {
    let done = before;
    let reportedAt = performance.now();
    let reportedPercent = -1;
    const report = async (percent: number) => {
      reportedAt = performance.now();
      reportedPercent = percent;
      if (!(await setPercent(db, task.id, percent))) throw new Stopped();
      await publish(task, { name: 'progress', body: { taskId: task.id, percent, step: importSteps[step] } });
    };
    const reportAt = async (now: number, all: number) => {
      const percent = all === 0 ? 100 : Math.min(99, Math.floor((now / all) * 100));
      if (performance.now() - reportedAt >= minPauseMs && percent !== reportedPercent) await report(percent);
    };
    return {
      report: reportAt,
      tick: () => {
        done += 1;
        return reportAt(done, total);
      },
      finish: () => report(100),
    };
  };

  return {
    counter,
    preparing: (task) => publish(task, { name: 'preparing', body: { taskId: task.id } }),
    parsed: (task, succeeded) => publish(task, { name: 'parsed', body: outcome(task, succeeded) }),
    imported: (task, succeeded) => publish(task, { name: 'imported', body: outcome(task, succeeded) }),
  };
};
