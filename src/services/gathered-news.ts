import type { Failure } from './failure.ts';
import type { AwsNames, UploadNews } from './uploads.ts';

/** What happened to one file since the last news of it. */
export interface GatheredChange {
  readonly key: string;
  readonly loadedBytes?: number;
  readonly status?: 'uploaded' | 'refused' | 'lost';
  readonly failure?: Failure;
}

export interface GatheredNews {
  /** `bytesPerSecond`: over the last seconds; null when it is not known yet. */
  readonly onChanges: (changes: readonly GatheredChange[], bytesPerSecond: number | null) => void;
  readonly onWaiting: (waiting: boolean) => void;
  readonly onFinished: (aws: AwsNames | null) => void;
  readonly onBroken: (failure: Failure) => void;
}

export interface GatherOptions {
  readonly sizes: ReadonlyMap<string, number>;
  readonly now?: () => number;
  /** Least time between two news of changes, in milliseconds. */
  readonly everyMs?: number;
}

/** The time over which speed is measured. */
const windowMs = 5_000;
const leastMs = 1_000;

/**
 * Gathers what is told of single files into a few news a second: with 1,800 files in six imports each byte on its way would otherwise redraw
 * the page. The end is told after everything that came before it. `stop` leaves out what was not told yet.
 */
export const gatherNews = (
  to: GatheredNews,
  { sizes, now = () => performance.now(), everyMs = 200 }: GatherOptions,
): { readonly news: UploadNews; readonly stop: () => void } => {
  const changes = new Map<string, GatheredChange>();
  const loaded = new Map<string, number>();
  let sent = 0;
  let samples: readonly { readonly at: number; readonly sent: number }[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;

  const speed = (): number | null => {
    const at = now();
    samples = [...samples.filter((one) => at - one.at <= windowMs), { at, sent }];
    const [first] = samples;
    return first && at - first.at >= leastMs ? Math.max(0, ((sent - first.sent) / (at - first.at)) * 1_000) : null;
  };
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (changes.size === 0) return;
    const gathered = [...changes.values()];
    changes.clear();
    to.onChanges(gathered, speed());
  };
  const later = () => {
    timer ??= setTimeout(flush, everyMs);
  };
  const note = (change: GatheredChange) => {
    changes.set(change.key, { ...changes.get(change.key), ...change });
    later();
  };
  const load = (key: string, bytes: number, counts: boolean) => {
    if (counts) sent += bytes - (loaded.get(key) ?? 0);
    loaded.set(key, bytes);
  };

  speed();
  return {
    stop: () => {
      if (timer) clearTimeout(timer);
    },
    news: {
      onProgress: (key, loadedBytes, arrivedBefore = false) => {
        load(key, loadedBytes, !arrivedBefore);
        note({ key, loadedBytes });
      },
      onTaken: (key) => {
        load(key, sizes.get(key) ?? 0, true);
        note({ key, status: 'uploaded' });
      },
      onRefused: (key, failure) => note({ key, status: 'refused', failure }),
      onLost: (key) => note({ key, status: 'lost' }),
      onWaiting: (waiting) => {
        flush();
        to.onWaiting(waiting);
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
