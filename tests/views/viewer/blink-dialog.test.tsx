import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyScene, sceneOf } from '../../../src/viewer/scene/scene.ts';
import { BlinkDialog } from '../../../src/views/workspace/blink/blink-dialog.tsx';
import type { ShownPictures } from '../../../src/views/workspace/print/print-subject.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { imageInfo, patient } from './workspace-fixtures.ts';

const [width, height] = [400, 300];
let failing = false;
vi.mock('../../../src/viewer/index.ts', async () => ({
  ...(await import('./viewer-without-gpu.ts')),
  createPictureRenderer: async () => ({
    render: async () => {
      if (failing) throw new Error('no GPU');
      return { width, height, toBlob: async () => new Blob(['picture']) };
    },
    dispose: () => undefined,
  }),
}));

const [older, newer] = [
  imageInfo(1, { imageAcquiredDate: '2022-03-01T10:00:00' }),
  imageInfo(2, { imageAcquiredDate: '2024-03-02T10:00:00' }),
];
const open = () => {
  const images = [older, newer];
  const shown = {
    content: { kind: 'compare', images: images.map((image) => ({ image, item: null, viewsetId: null })), prior: null },
    scene: { ...emptyScene, images: images.flatMap(({ uid }) => sceneOf(uid).images) },
    activeUid: newer.uid,
    stageAspect: 2,
    images: {},
    patient,
    words: {},
  } as unknown as ShownPictures;
  return show(
    <InWorkspace>
      <BlinkDialog shown={shown} onClose={() => undefined} />
    </InWorkspace>,
  );
};

const pictureOf = (name: RegExp) => screen.getByRole('application', { name });
const left = () => pictureOf(/^Left image/);
const right = () => pictureOf(/^Right image/);
const shownSide = () => document.querySelector('[data-shown]')?.getAttribute('data-shown');

/** jsdom lays nothing out: elements have the size of the picture, so a CSS pixel is a pixel of it. */
const click = (picture: HTMLElement, x: number, y: number) =>
  act(async () => {
    const place = { clientX: x, clientY: y, button: 0, pointerId: 1 };
    fireEvent.pointerDown(picture, place);
    fireEvent.pointerUp(picture, place);
  });

/** Moves the cross from the middle to a point, in long and short steps, and sets it. */
const setByKeys = async (picture: HTMLElement, x: number, y: number) => {
  const press = (key: string, shiftKey = false) => act(async () => void fireEvent.keyDown(picture, { key, shiftKey }));
  const walk = async (distance: number, [back, forth]: readonly [string, string]) => {
    const key = distance < 0 ? back : forth;
    for (let rest = Math.abs(distance); rest > 0; rest -= rest >= 20 ? 20 : 1) await press(key, rest >= 20);
  };
  await walk(x, ['ArrowLeft', 'ArrowRight']);
  await walk(y, ['ArrowUp', 'ArrowDown']);
  await press('Enter');
};

const corners = [
  [40, 30],
  [360, 30],
  [360, 270],
  [40, 270],
] as const;

/** Sets the corners in the left image, and the same moved by 8 and 5 pixels in the right one. */
const setAllByClick = async () => {
  for (const [x, y] of corners) {
    await click(left(), x, y);
    await click(right(), x + 8, y + 5);
  }
};

const matrix = () => document.querySelector('image[transform]')?.getAttribute('transform');

beforeEach(() => {
  failing = false;
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('two images laid over each other', () => {
  it('says which point comes next and in which image, and moves the focus there', async () => {
    await open();
    await waitFor(() => expect(document.activeElement).toBe(left()));
    expect(screen.getByText('Point 1 of 4: click it in the left image.')).toBeTruthy();
    expect(screen.getByText('Left image · 2022-03-01')).toBeTruthy();
    await click(left(), 40, 30);
    expect(document.activeElement).toBe(right());
    await act(async () => void fireEvent.keyDown(right(), { key: 'Enter', repeat: true }));
    expect(screen.getByText('Point 1 of 4: click the same spot in the right image.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove last point' }));
    expect(screen.getByText('Point 1 of 4: click it in the left image.')).toBeTruthy();
  });

  it('are aligned alike by clicks and by keys, and say how well the points agree', async () => {
    const byClick = await open();
    await waitFor(left);
    await setAllByClick();
    expect(screen.getByText(/^The points agree to within 0 pixels/)).toBeTruthy();
    const found = matrix();
    expect(found).toBe('matrix(1 0 0 1 8 5)');
    byClick.unmount();

    await open();
    await waitFor(left);
    let before = [200, 150];
    for (const [x, y] of corners) {
      const [fromX = 0, fromY = 0] = before;
      const first = before[0] === 200;
      await setByKeys(left(), x - fromX, y - fromY);
      await setByKeys(right(), x - fromX + (first ? 8 : 0), y - fromY + (first ? 5 : 0));
      before = [x, y];
    }
    expect(matrix()).toBe(found);
  });

  it('alternate, stop with the space bar, and show their difference', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
    await open();
    await waitFor(left);
    vi.useFakeTimers();
    await setAllByClick();
    expect(shownSide()).toBe('right');
    await act(async () => vi.advanceTimersByTime(700));
    expect(shownSide()).toBe('left');
    expect(screen.getByText('Left image · 2022-03-01')).toBeTruthy();
    const both = pictureOf(/^Both images/);
    expect(document.activeElement).toBe(both);
    await act(async () => void fireEvent.keyDown(both, { key: ' ' }));
    expect(shownSide()).toBe('right');
    await act(async () => vi.advanceTimersByTime(5000));
    expect(shownSide()).toBe('right');
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Difference' })));
    expect(shownSide()).toBe('difference');
  });

  it('stand still at first for a user who asked for less motion', async () => {
    await open();
    await waitFor(left);
    await setAllByClick();
    expect(shownSide()).toBe('right');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Right' }).checked).toBe(true);
  });

  it('are not aligned by points that lie too close together, and the points can be changed', async () => {
    await open();
    await waitFor(left);
    for (const [x, y] of corners) {
      await click(left(), 200 + x / 40, 150 + y / 40);
      await click(right(), x, y);
    }
    expect(screen.getByText(/^The points lie too close together/)).toBeTruthy();
    expect(shownSide()).toBeUndefined();
    fireEvent.click(screen.getByRole('button', { name: 'Start over' }));
    await setAllByClick();
    fireEvent.click(screen.getByRole('button', { name: 'Change points' }));
    expect(document.querySelectorAll('[data-point]')).toHaveLength(8);
    await click(right(), 100, 270);
    expect(screen.getByText(/That is much: check the points/)).toBeTruthy();
  });

  it('are enlarged by wheel, keys and two fingers, and moved by a drag, which set no point', async () => {
    await open();
    await waitFor(left);
    const part = () => (left().getAttribute('viewBox') ?? '').split(' ').map(Number);
    const finger = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', pointerId: number, x: number) =>
      act(async () => void fireEvent[type](left(), { clientX: x, clientY: 150, pointerId, button: 0 }));
    await act(async () => void fireEvent.wheel(left(), { deltaY: -1, clientX: 0, clientY: 0 }));
    expect(part()[0]).toBe(0);
    expect(part()[2]).toBeCloseTo(width / 1.2, 6);
    await act(async () => void fireEvent.keyDown(left(), { key: '-' }));
    expect(part()).toEqual([0, 0, width, height]);
    await finger('pointerDown', 1, 150);
    await finger('pointerDown', 2, 250);
    await finger('pointerMove', 2, 350);
    await finger('pointerMove', 1, 150);
    expect(part()).toEqual([100, 75, width / 2, height / 2]);
    await finger('pointerUp', 2, 350);
    await finger('pointerMove', 1, 190);
    expect(part()).toEqual([80, 75, width / 2, height / 2]);
    await finger('pointerUp', 1, 190);
    expect(document.querySelectorAll('[data-point]')).toHaveLength(0);
    await click(left(), 200, 150);
    expect(document.querySelectorAll('[data-point]')).toHaveLength(1);
  });

  it('say so when an image cannot be drawn', async () => {
    failing = true;
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('could not be prepared');
  });
});
