import { createActor, fromCallback, fromPromise } from 'xstate';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';
import { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import { applied } from '../../../src/machines/viewset/viewset.rules.ts';
import type { Change } from '../../../src/machines/viewset/viewset.setup.ts';
import type { Intent, IntentOf, IntentType, Stage } from '../../../src/viewer/index.ts';

export const viewsetId = '11111111-1111-4111-8111-111111111111';

export const anImage = (uid: string, more: Partial<ImageInfo> = {}): ImageInfo => ({
  uid,
  sopInstanceUid: `1.2.${uid}`,
  kind: 'image',
  name: '',
  number: null,
  order: 1,
  width: 1700,
  height: 1300,
  frames: 1,
  imageAcquiredDate: null,
  imageComment: null,
  imageCompression: 'none',
  imageFileName: `${uid}.dcm`,
  imageFileSize: 1,
  imageSensorType: null,
  imageTransferSyntax: '1.2.840.10008.1.2.1',
  source: 'dicom',
  seriesModalityValue: 'IO',
  seriesUid: '1.2.3',
  studyUid: '1.2',
  viewsetId: null,
  teeth: [],
  teethSource: 'file',
  laterality: null,
  activeImageThumbLink: null,
  display: null,
  displayVersion: 0,
  marks: [],
  calibration: null,
  marksVersion: 0,
  version: 1,
  ...more,
});

/** Box: x, y, width, height in the units of the mount. */
export const aSlot = (
  itemIndex: number,
  box: readonly [number, number, number, number],
  image?: ImageInfo,
): ViewsetItem => ({
  itemIndex,
  order: itemIndex + 1,
  xPos: box[0],
  yPos: box[1],
  width: box[2],
  height: box[3],
  rotation: 0,
  horizontalFlip: false,
  teeth: [],
  description: null,
  activeImage: image ?? null,
  display: null,
  displayVersion: 0,
});

export const aViewset = (items: readonly ViewsetItem[], tray: readonly ImageInfo[] = []): Viewset => ({
  viewSetUuid: viewsetId,
  name: 'Full mouth',
  comments: null,
  templateUUID: null,
  width: Math.max(...items.map((item) => item.xPos + item.width)),
  height: Math.max(...items.map((item) => item.yPos + item.height)),
  patientId: '22222222-2222-4222-8222-222222222222',
  studyUid: '1.2',
  version: 1,
  viewSetItems: [...items],
  detachedImages: [...tray],
});

/** The slots of an 18-image full mouth as a standard mount has them: outer slots lie across, the middle ones upright. */
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

/** The real machine beside an archive that agrees to everything; `calls` holds what was asked of it. */
export const openedActor = async (first: Viewset) => {
  let kept = first;
  const calls: Change['operation'][] = [];
  const agree = (change: Change): Viewset => {
    calls.push(change.operation);
    kept = { ...applied(kept, [change.operation]), version: kept.version + 1 };
    return kept;
  };
  const actor = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise(async () => kept),
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

/** A stage that draws nothing and tells what it is told to. */
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
    snapshot: () => Promise.reject(new Error('nothing is drawn here')),
    dispose: () => {},
  };
  return {
    stage,
    tell: (intent: Intent) => {
      for (const listener of listeners.get(intent.type) ?? []) (listener as (told: Intent) => void)(intent);
    },
  };
};
