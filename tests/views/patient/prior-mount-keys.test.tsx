import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toast } from '../../../src/views/ui/toast.ts';
import { idOf } from '../records.ts';
import { signedInAs } from '../signed-in-session.ts';
import { clickNamed, openLocatedPage, press } from './located-page.tsx';
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

const open = async (query = '', user?: ReturnType<typeof signedInAs>) => {
  cleanup();
  const path = `/patient/p/2.25.0/${mountIdOf(0)}${query}`;
  return openLocatedPage(path, { studies, viewsets, activeUid: uidOf(0) }, user);
};

type Key = 'Shift+C' | 'B' | 'Shift+B' | 'S' | 'Escape' | ',' | '.';
const names: Readonly<Record<Key, string>> = {
  'Shift+C': 'Compare with earlier mount',
  B: 'Earlier mount',
  'Shift+B': 'Later mount',
  S: 'Swap the two mounts',
  Escape: 'Back',
  ',': 'Previous image',
  '.': 'Next image',
};
const click = (key: Key) => clickNamed(names[key]);
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
    expect(page.visited()).toHaveLength(2);
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

it('keeps the side of the earlier mount for each user of the browser', async () => {
  const [one, other] = [1, 2].map((number) => signedInAs('Doctor', { userId: idOf(number) }));
  const query = `?prior-mount=${mountIdOf(1)}`;
  const first = await open(query, one);
  await press('S');
  expect(first.shown()).toBe('Mount 0 | Mount 1');
  expect((await open(query, other)).shown()).toBe('Mount 1 | Mount 0');
  expect((await open(query, one)).shown()).toBe('Mount 0 | Mount 1');
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
