import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { useStoredFlag } from '../../../src/views/ui/stored-state.ts';
import { toast } from '../../../src/views/ui/toast.ts';
import { contentOf } from '../../../src/views/workspace/patient/content.ts';
import { parseCompared, parsePrior } from '../../../src/views/workspace/patient/patient-location.ts';
import { useNavigation } from '../../../src/views/workspace/patient/use-navigation.ts';
import { MountBar } from '../../../src/views/workspace/viewer/prior-bar.tsx';
import { runViewerCommand, type ViewerCommand } from '../../../src/views/workspace/viewer/viewer-commands.ts';
import { useViewerKeys } from '../../../src/views/workspace/viewer/viewer-keys.ts';
import { ViewerToolbar } from '../../../src/views/workspace/viewer/viewer-toolbar.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { noHistoryControl, toolState } from '../viewer/workspace-fixtures.ts';
import { mountIdOf, mountWith } from './prior-mounts-fixture.ts';
import { uidOf } from './priors-fixture.ts';

vi.mock('../../../src/viewer/index.ts', () => import('../viewer/viewer-without-gpu.ts'));
vi.mock('../../../src/views/ui/toast.ts', () => ({ toast: vi.fn() }));

beforeEach(() => {
  localStorage.clear();
  vi.mocked(toast).mockClear();
});

const [molars, canines, premolars] = [
  [17, 16, 47, 46],
  [13, 43],
  [15, 14, 45, 44],
];
const mountOn = (number: number, on: string, teeth: readonly (readonly number[])[]) =>
  mountWith({
    number,
    on,
    template: 1,
    images: teeth.map((of, index) => ({ number: number * 10 + index, teeth: of })),
  });
/** The middle image of the current mount has no earlier one. */
const all = [
  mountOn(0, '2026-03-02', [molars, canines, premolars]),
  mountOn(1, '2024-03-02', [molars, [], premolars]),
  mountOn(2, '2022-03-02', [molars, [], premolars]),
];
const studies = all.map(({ study }) => study);
const viewsets = all.map(({ viewset }) => viewset);
const [current] = viewsets;

const Page = ({ path, search }: { path: string; search: string }) => {
  const params = new URLSearchParams(search);
  const [, , , series = null, viewsetId = null] = path.split('/');
  const [isPriorRight, setPriorRight] = useStoredFlag('dentarium.prior.right', false);
  const location = {
    series,
    viewsetId,
    imageUid: params.get('image'),
    compare: parseCompared(params.get('compare')),
    prior: parsePrior(params.get('prior')),
    priorMount: params.get('prior-mount'),
    history: null,
  };
  const earlier = viewsets.find(({ viewSetUuid }) => viewSetUuid === location.priorMount) ?? null;
  const content = contentOf(location, studies, current ?? null, isPriorRight, earlier);
  const navigation = useNavigation({
    location,
    viewset: current ?? null,
    study: studies[0] ?? null,
    hasImage: () => true,
    studies,
    loadStudies: null,
    history: noHistoryControl,
    onSwap: () => setPriorRight(!isPriorRight),
  });
  const mounts = content?.kind === 'mounts' ? content : null;
  const openMounts = mounts ? navigation.back : content?.kind === 'mount' ? navigation.prior.mounts : null;
  const run = (command: ViewerCommand) =>
    runViewerCommand(command, {
      ...({} as Pick<Parameters<typeof runViewerCommand>[1], 'actor' | 'cine'>),
      stage: null,
      options: { focusMode: false } as Parameters<typeof runViewerCommand>[1]['options'],
      isFilm: false,
      openable: null,
      placements: null,
      navigation,
      compare: null,
      activeUid: null,
      prior: () => navigation.prior.older(uidOf(0)),
      note: null,
      mounts: openMounts,
      hasPictures: true,
      isPriorShown: mounts !== null || content?.kind === 'compare',
    });
  useViewerKeys(run);
  return (
    <>
      <ViewerToolbar
        state={toolState({
          comparing: null,
          canGoBack: navigation.back !== null,
          comparingMounts: openMounts && mounts !== null,
        })}
        bar={null}
        onCommand={run}
        marksMenu={false}
        onMarksMenu={() => undefined}
      />
      {mounts && <MountBar prior={mounts.prior} onCommand={run} />}
      {mounts?.prior.pairs.slice(0, 1).map((pair) => (
        <button key={pair.currentUid} type="button" onClick={() => navigation.openPair(pair)}>
          First pair
        </button>
      ))}
      <output data-testid="shown">
        {mounts
          ? mounts.viewsets.map(({ name }) => name).join(' | ')
          : content?.kind === 'compare'
            ? content.images.map(({ image }) => image.number).join(' | ')
            : content?.kind}
      </output>
    </>
  );
};

const open = async (query = '') => {
  cleanup();
  const path = `/patient/p/2.25.0/${mountIdOf(0)}`;
  const { hook, searchHook, history } = memoryLocation({ path: path + query, record: true });
  const Located = () => <Page path={hook()[0]} search={searchHook()} />;
  await show(
    <Router hook={hook} searchHook={searchHook}>
      <InWorkspace patientId="p">
        <Located />
      </InWorkspace>
    </Router>,
  );
  return { visited: () => history.length, shown: () => screen.getByTestId('shown').textContent };
};

const keys = {
  'Shift+C': { key: 'C', shiftKey: true },
  B: { key: 'b' },
  'Shift+B': { key: 'B', shiftKey: true },
  S: { key: 's' },
  Escape: { key: 'Escape' },
  ',': { key: ',' },
  '.': { key: '.' },
} as const;
type Key = keyof typeof keys;
const press = (key: Key) => act(async () => void fireEvent.keyDown(document.body, keys[key]));

const names: Readonly<Record<Key, string>> = {
  'Shift+C': 'Compare with earlier mount',
  B: 'Earlier mount',
  'Shift+B': 'Later mount',
  S: 'Swap the two mounts',
  Escape: 'Back',
  ',': 'Previous image',
  '.': 'Next image',
};
const click = (key: Key) =>
  act(async () => void fireEvent.click(document.querySelector(`button[aria-label="${names[key]}"]`) as Element));
const toasts = () => vi.mocked(toast).mock.calls.map(([{ text }]) => text);

describe.each([
  ['keys', press],
  ['buttons', click],
])('a mount beside an earlier one, by %s', (_, use) => {
  it('goes back in time, forth, swaps, and ends', async () => {
    const page = await open();
    expect(page.shown()).toBe('mount');
    await use('Shift+C');
    expect(page.shown()).toBe('Mount 1 | Mount 0');
    await use('B');
    expect(page.shown()).toBe('Mount 2 | Mount 0');
    await use('B');
    expect(toasts()).toEqual(['No mount before 2022-03-02 shows the same teeth.']);
    await use('Shift+B');
    expect(page.shown()).toBe('Mount 1 | Mount 0');
    await use('S');
    expect(page.shown()).toBe('Mount 0 | Mount 1');
    await use('S');
    // One entry of the history, so that the browser's back button leaves the comparison.
    expect(page.visited()).toBe(2);
    await use('Escape');
    expect(page.shown()).toBe('mount');
    await use('Shift+C');
    await use('Shift+C');
    expect(page.shown()).toBe('mount');
  });

  it('opens a pair, goes from slot to slot, and returns to both mounts', async () => {
    const page = await open(`?prior-mount=${mountIdOf(1)}`);
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'First pair' })));
    expect(page.shown()).toBe('10 | 0');
    await use('.');
    expect(page.shown()).toBe('12 | 2');
    expect(toasts()).toEqual(['1 image without an earlier one was skipped.']);
    await use('.');
    expect(page.shown()).toBe('12 | 2');
    await use(',');
    expect(page.shown()).toBe('10 | 0');
    await use('Escape');
    expect(page.shown()).toBe('Mount 1 | Mount 0');
  });
});

it('stays with the shown earlier mount from slot to slot', async () => {
  const page = await open(`?prior-mount=${mountIdOf(2)}`);
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'First pair' })));
  expect(page.shown()).toBe('20 | 0');
  await press('.');
  expect(page.shown()).toBe('22 | 2');
});

it('goes from slot to slot beside the best earlier image without a comparison of mounts', async () => {
  const page = await open(`?prior=${uidOf(10)},${uidOf(0)}`);
  await press('.');
  expect(page.shown()).toBe('12 | 2');
});

it('shows the mount alone when the other one is not an earlier one', async () => {
  expect((await open(`?prior-mount=${mountIdOf(0)}`)).shown()).toBe('mount');
  expect((await open('?prior-mount=gone')).shown()).toBe('mount');
});
