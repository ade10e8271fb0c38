import type { Failure, WaitReason } from './failure.ts';
import type { AwsNames, UploadListener } from './uploads.ts';

/** Change of one file since the last event. */
export interface FileUploadChange {
  readonly key: string;
  readonly loadedBytes?: number;
  readonly status?: 'uploaded' | 'refused' | 'lost';
  readonly failure?: Failure;
}

export interface BatchedUploadListener {
  /** `bytesPerSecond`: over the last seconds; null when it is not known yet. */
  readonly onChanges: (changes: readonly FileUploadChange[], bytesPerSecond: number | null) => void;
  readonly onWaiting: (reason: WaitReason | null) => void;
  readonly onFinished: (aws: AwsNames | null) => void;
  readonly onBroken: (failure: Failure) => void;
}

export interface BatchOptions {
  readonly sizes: ReadonlyMap<string, number>;
  readonly now?: () => number;
  /** Minimum time between two batches, in milliseconds. */
  readonly everyMs?: number;
}

/** The time over which speed is measured. */
const windowMs = 5_000;
const minMs = 1_000;

/**
 * Batches events of single files to a few a second: with 1,800 files every progress event would redraw the page. Pending changes are
 * flushed before the end is reported. `stop` drops pending changes.
 */
export const batchUploadEvents = (
  to: BatchedUploadListener,
  { sizes, now = () => performance.now(), everyMs = 200 }: BatchOptions,
): { readonly listener: UploadListener; readonly stop: () => void } => {
  const changes = new Map<string, FileUploadChange>();
  const loaded = new Map<string, number>();
  let sent = 0;
  let samples: readonly { readonly at: number; readonly sent: number }[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const speed = (): number | null => {
    const at = now();
    samples = [...samples.filter((one) => at - one.at <= windowMs), { at, sent }];
    const [first] = samples;
    return first && at - first.at >= minMs ? Math.max(0, ((sent - first.sent) / (at - first.at)) * 1_000) : null;
  };
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (changes.size === 0) return;
    const gathered = [...changes.values()];
    changes.clear();
    to.onChanges(gathered, speed());
  };
  const scheduleFlush = () => {
    timer ??= setTimeout(flush, everyMs);
  };
  const recordChange = (change: FileUploadChange) => {
    changes.set(change.key, { ...changes.get(change.key), ...change });
    scheduleFlush();
  };
  const recordProgress = (key: string, bytes: number, counts: boolean) => {
    if (counts) sent += bytes - (loaded.get(key) ?? 0);
    loaded.set(key, bytes);
  };

  speed();
  return {
    stop: () => {
      if (timer) clearTimeout(timer);
    },
    listener: {
      onProgress: (key, loadedBytes, arrivedBefore = false) => {
        recordProgress(key, loadedBytes, !arrivedBefore);
        recordChange({ key, loadedBytes });
      },
      onUploaded: (key) => {
        recordProgress(key, sizes.get(key) ?? 0, true);
        recordChange({ key, status: 'uploaded' });
      },
      onRefused: (key, failure) => recordChange({ key, status: 'refused', failure }),
      onLost: (key) => recordChange({ key, status: 'lost' }),
      onWaiting: (reason) => {
        flush();
        to.onWaiting(reason);
      },
      onFinished: (aws) => {
        flush();
        to.onFinished(aws);
      },
      onBroken: (failure) => {
        flush();
        to.onBroken(failure);
      },
    },
  };
};
