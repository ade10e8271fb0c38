import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { contentOf } from '../../../src/views/workspace/patient/content.ts';
import { savedSettings, sceneOfContent } from '../../../src/views/workspace/viewer/scene-of-content.ts';
import { mountPairLayout } from '../../../src/views/workspace/viewset/mount-pair-layout.ts';
import { MountPairOverlay } from '../../../src/views/workspace/viewset/mount-pair-overlay.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { type MountOf, mountIdOf, mountWith } from '../patient/prior-mounts-fixture.ts';
import { uidOf } from '../patient/priors-fixture.ts';
import { show } from '../render.tsx';
import { mutedStage } from './mount-fixture.ts';

vi.mock('../../../src/viewer/index.ts', () => import('../viewer/viewer-without-gpu.ts'));

const [molars, premolars] = [
  [17, 16, 47, 46],
  [15, 14, 45, 44],
];
const current: MountOf = {
  number: 0,
  on: '2026-03-02',
  template: 1,
  images: [{ number: 1, teeth: molars }, { number: 2, on: '2024-01-09', teeth: premolars }, null],
};
const earlier: MountOf = {
  number: 5,
  on: '2024-01-10',
  template: 1,
  images: [
    { number: 11, teeth: molars },
    { number: 12, on: '2023-05-01', teeth: premolars },
    { number: 2, on: '2024-01-09', teeth: premolars },
  ],
};
const stage = { width: 1200, height: 900 };

const contentWith = (one: MountOf, other: MountOf, isPriorRight = false) => {
  const [mine, theirs] = [mountWith(one), mountWith(other)];
  const location = {
    series: '2.25.0',
    viewsetId: mountIdOf(0),
    imageUid: null,
    compare: [],
    prior: null,
    priorMount: mountIdOf(5),
    history: null,
  };
  // The list has an image of both mounts once.
  const content = contentOf(location, [theirs.study, mine.study], mine.viewset, isPriorRight, theirs.viewset);
  if (content?.kind !== 'mounts') throw new Error('no comparison of mounts');
  return content;
};

const open = async () => {
  const content = contentWith(current, earlier);
  const { stage: silent } = mutedStage();
  const onOpen = vi.fn();
  const Page = () => {
    const [active, setActive] = useState<string | null>(uidOf(1));
    return (
      <MountPairOverlay
        content={content}
        parts={mountPairLayout(content.viewsets, stage).parts}
        stage={silent}
        transform={{ left: 0, top: 0, scale: 0.1 }}
        isDrawn={() => true}
        activeUid={active}
        onChoose={setActive}
        onOpen={onOpen}
      />
    );
  };
  await show(
    <InWorkspace>
      <Page />
    </InWorkspace>,
  );
  const mount = (name: RegExp) => within(screen.getByRole('listbox', { name }));
  const selected = () =>
    screen.getAllByRole('option', { selected: true }).map((one) => one.getAttribute('aria-label')?.slice(0, 6));
  return {
    current: mount(/^Mount 0, 2026-03-02, current mount$/),
    earlier: mount(/^Mount 5, 2024-01-10, 2 y 1 m earlier$/),
    selected,
  };
};

describe('two mounts', () => {
  it('select the slots of a pair together, by pointer, focus and keys', async () => {
    const page = await open();
    expect(page.selected()).toEqual(['Slot 1', 'Slot 1']);
    const first = page.current.getByRole('option', { name: /^Slot 1/ });
    await act(async () => first.focus());
    await act(async () => void fireEvent.keyDown(first, { key: 'ArrowRight' }));
    expect(page.selected()).toEqual(['Slot 2', 'Slot 2']);
    expect(document.activeElement).toBe(page.current.getByRole('option', { name: /^Slot 2/ }));
    // At the edge the selection stays, and the stage does not pan.
    expect(fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowRight' })).toBe(false);
    expect(page.selected()).toEqual(['Slot 2', 'Slot 2']);
    await act(async () => page.earlier.getByRole('option', { name: /^Slot 1/ }).focus());
    expect(page.selected()).toEqual(['Slot 1', 'Slot 1']);
  });

  it('leave keys with modifiers to the viewer', async () => {
    const page = await open();
    const first = page.current.getByRole('option', { name: /^Slot 1/ });
    expect(fireEvent.keyDown(first, { key: 'ArrowRight', shiftKey: true })).toBe(true);
    expect(page.selected()).toEqual(['Slot 1', 'Slot 1']);
  });
});

describe('the layout of two mounts', () => {
  const size = (width: number, height: number) => ({ width, height });
  const shownScale = (area: { width: number; height: number }) =>
    Math.min(stage.width / area.width, stage.height / area.height);

  it.each([
    ['wide ones one above the other', size(4000, 800), size(4000, 800), [0, 1]],
    ['tall ones side by side', size(800, 1600), size(800, 1600), [1, 0]],
    ['of other units at the same width', size(4000, 800), size(8, 2), [0, 1]],
    ['of other units at the same height', size(800, 1600), size(4, 10), [1, 0]],
  ])('places %s, with 26 pixels above each for its heading', (_, one, other, [beside, below]) => {
    const layout = mountPairLayout([one, other], stage);
    const [first, second] = layout.parts;
    const scale = shownScale(layout);
    expect(first.y * scale).toBeCloseTo(26, 6);
    expect(first).toMatchObject({ x: 0, scale: 1 });
    expect(second.x > 0 ? 1 : 0).toBe(beside);
    if (below === 1) {
      expect((second.y - first.y - one.height) * scale).toBeCloseTo(26, 6);
      expect(other.width * second.scale).toBeCloseTo(one.width, 6);
      expect(second.y + other.height * second.scale).toBeCloseTo(layout.height, 6);
    } else {
      expect(second.y).toBe(first.y);
      expect(other.height * second.scale).toBeCloseTo(one.height, 6);
      expect(second.x + other.width * second.scale).toBeCloseTo(layout.width, 6);
    }
  });

  it('is finite on a stage without a size', () => {
    const { width, height } = mountPairLayout([size(4000, 800), size(4000, 800)], size(0, 0));
    expect([width, height].every(Number.isFinite)).toBe(true);
  });
});

describe('the scene of two mounts', () => {
  const sceneOf = (content: ReturnType<typeof contentWith>) =>
    sceneOfContent({
      content,
      settingsOf: savedSettings,
      stateOf: () => null,
      activeUid: uidOf(1),
      tool: 'window',
      mountView: 'fit',
      linked: true,
      marksHidden: false,
      planesHidden: false,
      authorTextOf: ({ name }) => name,
      stage,
    });

  it('has each image once, in its slot, and images stay in their slots', () => {
    const content = contentWith(current, earlier);
    const scene = sceneOf(content);
    const { parts } = mountPairLayout(content.viewsets, stage);
    expect(scene.images.map(({ id }) => id).toSorted()).toEqual([1, 2, 11, 12].map(uidOf));
    expect(scene.mount).toMatchObject({ isFixed: true });
    expect(scene.linked).toBe(false);
    const top = (number: number) => scene.images.find(({ id }) => id === uidOf(number))?.placement.y ?? Number.NaN;
    expect(top(11)).toBeLessThan(parts[1].y);
    // An image of both mounts is drawn in the current one.
    for (const number of [1, 2]) expect(top(number)).toBeGreaterThan(parts[1].y);
  });

  it('has the current mount first when the user prefers it', () => {
    const content = contentWith(current, earlier, true);
    const { parts } = mountPairLayout(content.viewsets, stage);
    const tops = sceneOf(content).images.filter(({ placement }) => placement.y < parts[1].y);
    expect(tops.map(({ id }) => id)).toEqual([uidOf(1), uidOf(2)]);
  });
});
