import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { findTask } from '../../db/stores/imports.ts';
import { endReceiving, type ReceivingTimes, tasksToJudge } from '../../db/stores/received-tasks.ts';
import { type IntervalJob, startIntervalJob } from '../../jobs/interval-job.ts';
import type { ImportEvents } from './import-events.ts';
import { judgeReceived } from './judge-received.ts';

export const defaultReceivingTimes: ReceivingTimes & { readonly everyMs: number } = {
  sentMs: 5_000,
  quietMs: 30_000,
  everyMs: 2_000,
};

interface ReceivingJob {
  readonly db: Kysely<Schema>;
  readonly times: typeof defaultReceivingTimes;
  readonly events: Pick<ImportEvents, 'parsed' | 'imported'>;
  /** Wakes the runner. */
  readonly wake: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Moves received imports on when nothing more comes, and judges them when they are read. Any node does, whichever received or read them: an earlier
 * version reads them too, and decides nothing.
 */
export const startReceivingJob = ({ db, times, events, wake, onFailure }: ReceivingJob): IntervalJob => {
  const judge = async (id: string): Promise<void> => {
    const judgement = await judgeReceived(db, id);
    if (judgement === 'confirmed') wake();
    const task = judgement === 'waits' || judgement === 'done' ? await findTask(db, id) : undefined;
    if (!task) return;
    if (judgement === 'done') await events.imported(task, true);
    else await events.parsed(task, true);
  };

  return startIntervalJob(
    times.everyMs,
    async (signal) => {
      if ((await endReceiving(db, times)).length > 0) wake();
      for (const id of await tasksToJudge(db)) {
        signal.throwIfAborted();
        await judge(id).catch(onFailure);
      }
    },
    onFailure,
  );
};
