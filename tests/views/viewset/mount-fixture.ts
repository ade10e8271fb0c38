import { createActor, fromCallback, fromPromise } from 'xstate';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';
import { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import { applied } from '../../../src/machines/viewset/viewset.rules.ts';
import type { Change } from '../../../src/machines/viewset/viewset.setup.ts';
import type { Intent, IntentOf, IntentType, Stage } from '../../../src/viewer/index.ts';
import { aSlot, aViewset } from '../records.ts';

/** A slot in a box: x, y, width, height in mount units. */
export const slotIn = (
  itemIndex: number,
  [xPos, yPos, width, height]: readonly [number, number, number, number],
  activeImage: ImageInfo | null = null,
): ViewsetItem => aSlot(itemIndex, { xPos, yPos, width, height, activeImage });

/** A mount with unmounted images in its tray. */
export const mountOf = (items: readonly ViewsetItem[], tray: readonly ImageInfo[] = []): Viewset =>
  aViewset(items, { detachedImages: [...tray] });

/** The slots of an 18-image full mouth series in a standard mount: outer slots landscape, middle ones portrait. */
export const fullMouthBoxes = (w = 1700, h = 1300): readonly (readonly [number, number, number, number])[] => [
  [0, h, w, h],
  [w, h, w, h],
  [3 * w + 3 * h, h, w, h],
  [2 * w + 3 * h, h, w, h],
  [0, 0, w, h],
  [w, 0, w, h],
  [3 * w + 3 * h, 2 * h, w, h],
  [2 * w + 3 * h, 2 * h, w, h],
  [0, 2 * h, w, h],
  [w, 2 * h, w, h],
  [3 * w + 3 * h, 0, w, h],
  [2 * w + 3 * h, 0, w, h],
  [2 * w, 0, h, w],
  [2 * w + h, 0, h, w],
  [2 * w + 2 * h, 0, h, w],
  [2 * w, 3 * h - w, h, w],
  [2 * w + h, 3 * h - w, h, w],
  [2 * w + 2 * h, 3 * h - w, h, w],
];

/** The real machine with an accepting server of these viewsets, the first of them open; `calls` records its requests. */
export const openedActor = async (first: Viewset, ...others: readonly Viewset[]) => {
  const all = [first, ...others];
  let saved = first;
  const calls: Change['operation'][] = [];
  const agree = (change: Change): Viewset => {
    calls.push(change.operation);
    saved = { ...applied(saved, [change.operation]), version: saved.version + 1 };
    return saved;
  };
  const actor = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise<Viewset, { viewsetId: string }>(async ({ input }) => {
          if (input.viewsetId !== saved.viewSetUuid)
            saved = all.find(({ viewSetUuid }) => viewSetUuid === input.viewsetId) ?? saved;
          return saved;
        }),
        mountImage: fromPromise<Viewset, Change>(async ({ input }) => agree(input)),
        unmountImage: fromPromise<Viewset, Change>(async ({ input }) => agree(input)),
        moveImage: fromPromise<readonly Viewset[], Change>(async ({ input }) => [agree(input)]),
        watchViewset: fromCallback(() => {}),
      },
    }),
  ).start();
  actor.send({ type: 'viewset.opened', viewsetId: first.viewSetUuid });
  await new Promise<void>((done) => {
    const subscription = actor.subscribe((snapshot) => {
      if (!snapshot.matches('ready')) return;
      queueMicrotask(() => subscription.unsubscribe());
      done();
    });
  });
  return { actor, calls };
};

/** A stage that draws nothing and emits events on request. */
export const mutedStage = () => {
  const listeners = new Map<string, Set<(intent: never) => void>>();
  const stage: Stage = {
    show: () => {},
    act: () => false,
    on: <Type extends IntentType>(type: Type, listener: (intent: IntentOf<Type>) => void) => {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener as (intent: never) => void));
      return () => void set.delete(listener as (intent: never) => void);
    },
    settle: () => undefined,
    snapshot: () => Promise.reject(new Error('nothing is drawn here')),
    dispose: () => {},
  };
  return {
    stage,
    emit: (intent: Intent) => {
      for (const listener of listeners.get(intent.type) ?? []) (listener as (listener: Intent) => void)(intent);
    },
  };
};
