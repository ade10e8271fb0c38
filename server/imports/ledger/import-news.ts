import type { Kysely } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportTaskRow, setPercent } from '../../db/stores/imports.ts';
import type { Hub } from '../../hub/hub.ts';
import { Stopped } from './stopped.ts';

/** At most five a second: a person sees no more, and each is a message to every screen. */
const shortestPauseMs = 200;

export interface Counter {
  /** One more is done. @throws Stopped when somebody has withdrawn the import */
  readonly tick: () => Promise<void>;
  /** So many of so many are done. @throws as above */
  readonly tell: (done: number, total: number) => Promise<void>;
  /** All are done: said once, also when there was nothing to do. */
  readonly finish: () => Promise<void>;
}

export interface ImportNews {
  preparing(task: ImportTaskRow): Promise<void>;
  parsed(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  imported(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  /** Counts files of a step; tells of it seldom enough. */
  counter(task: ImportTaskRow, step: ImportStep, total: number, done: number): Counter;
}

/** Tells the screens of those who drive the import how it goes. News that cannot be sent is lost: the truth is in the ledger. */
export const createImportNews = (db: Kysely<Schema>, hub: Hub, onFailure: (error: unknown) => void): ImportNews => {
  const tell = async (task: ImportTaskRow, event: Parameters<Hub['publish']>[1]) => {
    const people = new Set([task.account_id, task.confirmed_by ?? task.account_id]);
    const groups = [...people].map((id) => `user:${id}` as const);
    await hub.publish(groups, event).catch(onFailure);
  };
  const outcome = (task: ImportTaskRow, succeeded: boolean) => ({ succeeded, result: { taskId: task.id } });

  const counter = (task: ImportTaskRow, step: ImportStep, total: number, before: number): Counter => {
    let done = before;
    let toldAt = performance.now();
    let told = -1;
    const say = async (percent: number) => {
      toldAt = performance.now();
      told = percent;
      if (!(await setPercent(db, task.id, percent))) throw new Stopped();
      await tell(task, { name: 'progress', body: { taskId: task.id, percent, step: importSteps[step] } });
    };
    const tellOf = async (now: number, all: number) => {
      const percent = all === 0 ? 100 : Math.min(99, Math.floor((now / all) * 100));
      if (performance.now() - toldAt >= shortestPauseMs && percent !== told) await say(percent);
    };
    return {
      tell: tellOf,
      tick: () => {
        done += 1;
        return tellOf(done, total);
      },
      finish: () => say(100),
    };
  };

  return {
    counter,
    preparing: (task) => tell(task, { name: 'preparing', body: { taskId: task.id } }),
    parsed: (task, succeeded) => tell(task, { name: 'parsed', body: outcome(task, succeeded) }),
    imported: (task, succeeded) => tell(task, { name: 'imported', body: outcome(task, succeeded) }),
  };
};
