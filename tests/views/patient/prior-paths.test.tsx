import { cleanup } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fromTransition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { Study } from '../../../contract/studies.ts';
import { toast } from '../../../src/views/ui/toast.ts';
import { aSlot, aViewset } from '../records.ts';
import { clickNamed, openLocatedPage, press } from './located-page.tsx';
import { studyWith, uidOf } from './priors-fixture.ts';

vi.mock('../../../src/viewer/index.ts', () => import('../viewer/viewer-without-gpu.ts'));
vi.mock('../../../src/views/ui/toast.ts', () => ({ toast: vi.fn() }));

beforeEach(() => {
  localStorage.clear();
  vi.mocked(toast).mockClear();
});

const teeth = [17, 16, 47, 46];
const mounted = { template: 1, slot: 2 };
const current = studyWith({ number: 0, on: '2026-03-02', teeth, mounted });
const studies: readonly Study[] = [
  current,
  studyWith({ number: 1, on: '2025-02-01', teeth, mounted }),
  studyWith({ number: 2, on: '2023-01-10', teeth }),
  studyWith({ number: 3, on: '2025-02-01', teeth: [26, 27, 36, 37] }),
];
const [shownUid, firstUid, secondUid, otherUid] = [0, 1, 2, 3].map(uidOf) as [string, string, string, string];
const [image] = current.series.flatMap(({ images }) => images);
const viewsetId = current.viewsets[0]?.viewSetUuid ?? '';
const viewset = aViewset([aSlot(2, { teeth, activeImage: image ?? null })], { viewSetUuid: viewsetId });

type Key = 'B' | 'Shift+B' | 'S' | 'C' | 'Escape';

interface Expected {
  /** How many steps back in time; 0: without an earlier image. */
  readonly steps: 0 | 1 | 2;
  readonly isRight: boolean;
  /** Whether the last key found nothing and said so. */
  readonly saidNone: boolean;
}

/** What the keys do, told without the program. */
const next = ({ steps, isRight }: Expected, { type }: { type: Key }): Expected => {
  const saidNone = type === 'B' && steps === 2;
  if (type === 'B') return { steps: steps === 0 ? 1 : 2, isRight, saidNone };
  if (type === 'Shift+B') return { steps: steps === 2 ? 1 : steps, isRight, saidNone };
  return type === 'S' ? { steps, isRight: steps > 0 !== isRight, saidNone } : { steps: 0, isRight, saidNone };
};
const model = fromTransition(next, { steps: 0, isRight: false, saidNone: false });
const paths = getShortestPaths(model, {
  // Leaving is tested from a comparison with an earlier image; below it the keys leave other things.
  events: ({ context }) =>
    (['B', 'Shift+B', 'S', 'C', 'Escape'] as const)
      .filter((type) => context.steps > 0 || (type !== 'C' && type !== 'Escape'))
      .map((type) => ({ type })),
  serializeState: ({ context }, event, before) => JSON.stringify([context, event?.type, before?.context]),
});

const nameOf: Readonly<Record<Key, string>> = {
  B: 'Compare with earlier image',
  'Shift+B': 'Later image',
  S: 'Swap the two images',
  C: 'Compare images',
  Escape: 'Back',
};
const click = (key: Key) => clickNamed(nameOf[key]);

const open = async (path: string, all = studies) => {
  cleanup();
  localStorage.clear();
  vi.mocked(toast).mockClear();
  return openLocatedPage(path, { studies: all, viewsets: [viewset], activeUid: shownUid });
};

const placeOf = {
  image: `/patient/p/2.25.5/${viewsetId}?image=${shownUid}`,
  'image without a mount': `/patient/p/2.25.5?image=${shownUid}`,
  mount: `/patient/p/2.25.5/${viewsetId}`,
  comparison: `/patient/p/2.25.5?compare=${shownUid},${otherUid}`,
} as const;

it('covers every key in every state', () => {
  expect(paths.length).toBeGreaterThan(20);
  expect(new Set(paths.map(({ state }) => JSON.stringify(state.context))).size).toBe(8);
});

const keysOf = ({ steps }: (typeof paths)[number]): readonly Key[] =>
  steps.map(({ event }) => event.type).filter((type): type is Key => type in nameOf);

const hasReached = (page: Awaited<ReturnType<typeof open>>, path: string, { steps, isRight, saidNone }: Expected) => {
  const prior = [null, firstUid, secondUid][steps];
  expect(page.now()).toBe(prior ? `${path}${path.includes('?') ? '&' : '?'}prior=${prior},${shownUid}` : path);
  if (prior) expect(page.images()).toBe((isRight ? [shownUid, prior] : [prior, shownUid]).join(' '));
  expect(vi.mocked(toast).mock.calls.map(([{ text }]) => text)).toEqual(
    saidNone ? ['No image before 2023-01-10 shows these teeth.'] : [],
  );
};

it.each([
  ['key', press],
  ['button', click],
])('goes back in time and returns to the image of a mount, by every %s in every state', async (_, use) => {
  for (const path of paths) {
    const page = await open(placeOf.image);
    for (const key of keysOf(path)) {
      vi.mocked(toast).mockClear();
      await use(key);
    }
    hasReached(page, placeOf.image, path.state.context);
  }
});

it.each(Object.entries(placeOf))('returns to the %s where it began', async (_, path) => {
  for (const leave of ['C', 'Escape'] as const) {
    const page = await open(path);
    for (const key of ['B', 'B', 'S', 'Shift+B'] as const) await press(key);
    hasReached(page, path, { steps: 1, isRight: true, saidNone: false });
    await press(leave);
    hasReached(page, path, { steps: 0, isRight: true, saidNone: false });
  }
});

it.each([
  ['key', press],
  ['button', click],
])('reaches a later image of fewer of these teeth by %s', async (_, use) => {
  const fewer = studyWith({ number: 4, on: '2025-09-01', teeth: [16, 46] });
  const page = await open(placeOf.image, [...studies, fewer]);
  await use('B');
  hasReached(page, placeOf.image, { steps: 1, isRight: false, saidNone: false });
  await use('Shift+B');
  expect(page.images()).toBe(`${uidOf(4)} ${shownUid}`);
  await use('B');
  hasReached(page, placeOf.image, { steps: 1, isRight: false, saidNone: false });
});

it('keeps the side of the earlier image for the next comparison', async () => {
  const page = await open(placeOf.mount);
  for (const key of ['B', 'S', 'Escape', 'B'] as const) await press(key);
  hasReached(page, placeOf.mount, { steps: 1, isRight: true, saidNone: false });
});

it('goes one step back in the browser to where it began', async () => {
  const page = await open(placeOf.mount);
  for (const key of ['B', 'B', 'Shift+B'] as const) await press(key);
  expect(page.visited()).toHaveLength(2);
});
