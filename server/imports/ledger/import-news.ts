import type { Kysely } from 'kysely';
import { type ImportStep, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { type ImportTaskRow, setPercent } from '../../db/stores/imports.ts';
import type { Hub } from '../../hub/hub.ts';

/** At most five a second: a person sees no more, and each is a message to every screen. */
const shortestPauseMs = 200;

export interface ImportNews {
  preparing(task: ImportTaskRow): Promise<void>;
  parsed(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  imported(task: ImportTaskRow, succeeded: boolean): Promise<void>;
  /** Counts files of a step; tells of it seldom enough, and of the last one in any case. */
  counter(task: ImportTaskRow, step: ImportStep, total: number, done: number): () => Promise<void>;
}

/** Tells the screens of the person who imports how it goes. News that cannot be sent is lost: the truth is in the ledger. */
export const createImportNews = (db: Kysely<Schema>, hub: Hub, onFailure: (error: unknown) => void): ImportNews => {
  const tell = async (task: ImportTaskRow, event: Parameters<Hub['publish']>[1]) => {
    await hub.publish([`user:${task.account_id}`], event).catch(onFailure);
  };
  const outcome = (task: ImportTaskRow, succeeded: boolean) => ({ succeeded, result: { taskId: task.id } });

  return {
    preparing: (task) => tell(task, { name: 'preparing', body: { taskId: task.id } }),
    parsed: (task, succeeded) => tell(task, { name: 'parsed', body: outcome(task, succeeded) }),
    imported: (task, succeeded) => tell(task, { name: 'imported', body: outcome(task, succeeded) }),
    counter: (task, step, total, before) => {
      let done = before;
      let toldAt = 0;
      return async () => {
        done += 1;
        const now = performance.now();
        if (done < total && now - toldAt < shortestPauseMs) return;
        toldAt = now;
        const percent = Math.round((done / total) * 100);
        await setPercent(db, task.id, percent);
        await tell(task, { name: 'progress', body: { taskId: task.id, percent, step: importSteps[step] } });
      };
    },
  };
};
