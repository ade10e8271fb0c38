import { useCallback, useRef, useSyncExternalStore } from 'react';

interface Source {
  subscribe(observer: { next: () => void; complete: () => void }): { unsubscribe(): void };
}

/**
 * Reads a value from actors at most every `everyMs`, for values that are expensive or would flicker. The end of an actor is
 * reported at once. `read` runs when an actor emits or `sources` changes; it may be a new function on each render.
 */
export const useThrottled = <Value>(
  sources: readonly Source[],
  read: () => Value,
  same: (one: Value, other: Value) => boolean,
  everyMs: number,
): Value => {
  const cached = useRef<{ sources: readonly Source[]; stale: boolean; value: Value } | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | null = null;
      const notify = () => {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        if (cached.current) cached.current.stale = true;
        listener();
      };
      const next = () => {
        timer ??= setTimeout(notify, everyMs);
      };
      // Changes between the first read and the subscription were missed, so the value is read again.
      if (cached.current) cached.current.stale = true;
      const subscriptions = sources.map((one) => one.subscribe({ next, complete: notify }));
      return () => {
        if (timer !== null) clearTimeout(timer);
        for (const subscription of subscriptions) subscription.unsubscribe();
      };
    },
    [sources, everyMs],
  );
  return useSyncExternalStore(subscribe, () => {
    const last = cached.current;
    if (last && last.sources === sources && !last.stale) return last.value;
    const value = read();
    cached.current = { sources, stale: false, value: last && same(last.value, value) ? last.value : value };
    return cached.current.value;
  });
};

interface ActorWithSnapshot<Snapshot> extends Source {
  getSnapshot(): Snapshot;
}

/** `useThrottled` for one actor. */
export const useThrottledSelector = <Snapshot, Value>(
  actor: ActorWithSnapshot<Snapshot>,
  select: (snapshot: Snapshot) => Value,
  same: (one: Value, other: Value) => boolean = Object.is,
  everyMs = 200,
): Value => {
  const sources = useRef<readonly ActorWithSnapshot<Snapshot>[]>([actor]);
  if (sources.current[0] !== actor) sources.current = [actor];
  return useThrottled(sources.current, () => select(actor.getSnapshot()), same, everyMs);
};
