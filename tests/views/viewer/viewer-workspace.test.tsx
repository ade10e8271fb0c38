import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { selectSettingsOf, selectTool, viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import type { Histogram, Images, LoadedImage, View } from '../../../src/viewer/index.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { ViewerWorkspace, type ViewerWorkspaceProps } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { aViewset } from '../records.ts';
import { show } from '../render.tsx';
import { stages } from './fake-stage.ts';
import { imageInfo, plainProps, viewsetItem } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const uid = imageInfo(1).uid;

const loaded = (changes: Partial<LoadedImage> = {}): LoadedImage => ({
  key: uid,
  frame: 1,
  level: 'full',
  width: 1200,
  height: 900,
  pixels: { format: 'u16', values: new Uint16Array(0) },
  pixelWidth: 1200,
  pixelHeight: 900,
  reduction: 1,
  pixelAspect: 1,
  description: {
    samplesPerPixel: 1,
    numberOfFrames: 1,
    sampleKind: 'integer',
    windows: [{ kind: 'window', centre: 2000, width: 1000, function: 'LINEAR', explanation: 'Bone' }],
    frames: null,
    spacing: { rowMm: 0.02, columnMm: 0.02, kind: 'detector' },
    lossy: false,
    padding: null,
  } as unknown as LoadedImage['description'],
  modality: { kind: 'rescale', slope: 1, intercept: 0 },
  voiLuts: [],
  range: { low: 0, high: 4000 },
  shownInverse: false,
  original: { ...plainDisplay, voi: { kind: 'window', centre: 2000, width: 1000, function: 'LINEAR' } },
  sizeBytes: 0,
  ...changes,
});

const histogram: Histogram = { low: 0, high: 4000, counts: new Float64Array([1, 2, 3, 2, 1]) };
const images = { histogram: () => Promise.resolve(histogram) } as unknown as Images;
const openImages = () => Promise.resolve(images);

const one: ShownContent = { kind: 'image', shown: { image: imageInfo(1), item: null, viewsetId: null } };

const machine = viewerMachine.provide({
  actors: { saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(() => new Promise(() => {})) },
});

const openWorkspace = async (changes: Partial<ViewerWorkspaceProps> = {}) => {
  const actor = createActor(machine).start();
  const navigation = { open: vi.fn(), step: vi.fn(), compare: null, back: vi.fn() };
  const onChoose = vi.fn();
  const page = await show(
    <InWorkspace viewer={actor} openImages={openImages}>
      <ViewerWorkspace
        {...plainProps}
        content={one}
        activeUid={uid}
        navigation={navigation}
        onChoose={onChoose}
        {...changes}
      />
    </InWorkspace>,
  );
  await act(async () => {});
  const stage = stages.at(-1);
  if (!stage) throw new Error('the room opened no stage');
  const load = (image = loaded()) =>
    act(async () => {
      stage.emit({ type: 'image.loaded', id: uid, image });
      stage.emit({
        type: 'view.drawn',
        id: uid,
        display: image.original,
        camera: { centreX: 600, centreY: 450, scale: 0.5 },
        level: 'full',
        filtering: false,
      });
    });
  return { actor, stage, load, page, onChoose, onBack: navigation.back };
};

beforeEach(() => {
  stages.length = 0;
  localStorage.clear();
});

describe('the viewer workspace', () => {
  it('shows the active image, and its facts once it is drawn', async () => {
    const { stage, load } = await openWorkspace();
    expect(stage.scenes.at(-1)).toMatchObject({ active: uid, images: [{ id: uid }] });
    const viewer = screen.getByRole('region', { name: 'Image viewer' });
    expect(viewer.getAttribute('aria-busy')).toBe('true');
    await load();
    expect(viewer.getAttribute('aria-busy')).toBe('false');
    expect(viewer.textContent).toContain('Torbjörn Fägerskiöld');
    expect(viewer.textContent).toContain('C 2000  W 1000');
    expect(screen.getByTestId('overlay-zoom').textContent).toBe('50 %');
    expect(screen.getByTestId('overlay-quality').textContent).toBe('Full qualityLossless');
  });

  it('updates the stage while a slider moves, and the machine once on release: one undo step', async () => {
    const { actor, stage, load } = await openWorkspace();
    await load();
    const settled = vi.fn();
    actor.subscribe((snapshot) => settled(selectSettingsOf(uid)(snapshot).display.gamma));
    const before = stage.scenes.length;
    const slider = screen.getByRole('slider', { name: 'Gamma' });
    for (const value of [0.2, 0.4, 1]) fireEvent.input(slider, { target: { value } });
    expect(stage.scenes.slice(before).map(({ images: [image] }) => image?.display.gamma)).toEqual([
      2 ** 0.2,
      2 ** 0.4,
      2,
    ]);
    expect(settled).not.toHaveBeenCalled();
    // Events that a browser fires on release.
    act(() => void slider.dispatchEvent(new Event('change', { bubbles: true })));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).display.gamma).toBe(2);
    act(() => actor.send({ type: 'change.undone' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).display.gamma).toBe(1);
    expect(actor.getSnapshot().can({ type: 'change.undone' })).toBe(false);
  });

  it('moves the window by its handles with the keyboard', async () => {
    const { actor, load } = await openWorkspace();
    await load();
    const handle = screen.getByRole('slider', { name: 'Brightest value' });
    expect(handle.getAttribute('aria-valuenow')).toBe('2500');
    fireEvent.keyDown(handle, { key: 'End' });
    fireEvent.keyUp(handle, { key: 'End' });
    expect(selectSettingsOf(uid)(actor.getSnapshot()).display.voi).toMatchObject({ centre: 2750, width: 2500 });
  });

  it("applies a preset, and resets the window with the file's first one", async () => {
    const { actor, load } = await openWorkspace();
    await load();
    const presets = within(screen.getByRole('group', { name: 'Presets' }));
    expect(presets.getByRole('button', { name: 'Bone' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(presets.getByRole('button', { name: 'Full range' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).display.voi).toMatchObject({ centre: 2000, width: 4000 });
    fireEvent.click(presets.getByRole('button', { name: 'Bone' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).display.voi).toBeNull();
  });

  it('lists measurements with their unit, deletes them, and calibrates by a known length', async () => {
    const mark = {
      id: '00000000-0000-4000-8000-0000000000cc',
      kind: 'length' as const,
      frame: 1,
      points: [
        [0, 0],
        [500, 0],
      ] as [[number, number], [number, number]],
    };
    const { actor, stage, load } = await openWorkspace();
    await load();
    act(() => stage.emit({ type: 'marks.settled', id: uid, marks: [mark] }));
    expect(screen.getByText('10.0 mm at detector')).toBeTruthy();
    act(() => stage.emit({ type: 'calibration.drawn', id: uid, lengthPixels: 500 }));
    const dialog = await screen.findByRole('dialog', { name: 'Calibrate the image' });
    fireEvent.change(within(dialog).getByLabelText('True length of the line'), { target: { value: 'ten' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Calibrate' }));
    expect(within(dialog).getByText('Enter a length in millimetres, such as 12.5.')).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText('True length of the line'), { target: { value: '12,5' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Calibrate' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).calibration).toEqual({ mmPerPixel: 0.025 });
    expect(screen.getByText('12.5 mm calibrated')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Delete the measurement 12.5 mm calibrated' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).marks).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove the calibration' }));
    expect(selectSettingsOf(uid)(actor.getSnapshot()).calibration).toBeNull();
  });

  it('handles keys outside text and dialogs, and leaves arrow keys to the focused control', async () => {
    const { actor, stage, load } = await openWorkspace({ bar: <input aria-label="note" /> });
    await load();
    fireEvent.keyDown(document.body, { key: 'r' });
    expect(stage.acts).toEqual([{ type: 'rotate', quarters: 1 }]);
    fireEvent.keyDown(screen.getByLabelText('note'), { key: 'r' });
    fireEvent.keyDown(screen.getByRole('slider', { name: 'Gamma' }), { key: 'ArrowLeft' });
    expect(stage.acts).toHaveLength(1);
    fireEvent.keyDown(screen.getByRole('slider', { name: 'Gamma' }), { key: 'l' });
    expect(selectTool(actor.getSnapshot())).toBe('length');
    fireEvent.keyDown(document.body, { key: '?' });
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(dialog).getByText('Magnifier')).toBeTruthy();
    fireEvent.keyDown(dialog, { key: 'f' });
    expect(stage.acts).toHaveLength(1);
  });

  it('goes back on Escape when there is nothing to abandon', async () => {
    const { onBack, load } = await openWorkspace();
    await load();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(onBack).toHaveBeenCalledOnce();
  });

  it('shows only images in focus mode, which Escape leaves before going back', async () => {
    const { onBack, load, page } = await openWorkspace();
    await load();
    fireEvent.keyDown(document.body, { key: 'h' });
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(true);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(false);
    expect(onBack).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'h' });
    page.unmount();
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(false);
  });

  it('shows why an image cannot be shown, and retries on a new stage', async () => {
    const { stage } = await openWorkspace();
    act(() => stage.emit({ type: 'image.failed', id: uid, error: new TypeError('network') }));
    expect(screen.getByRole('alert').textContent).toContain('The image cannot be shown');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await act(async () => {});
    expect(stage.disposed).toBe(true);
    expect(stages).toHaveLength(2);
    expect(stages.at(-1)?.scenes.at(-1)?.images).toHaveLength(1);
  });

  const damaged: ShownContent = {
    kind: 'image',
    shown: {
      image: { ...imageInfo(1), storageFault: { kind: 'damaged', since: '2026-11-02T08:15:00.000Z' } },
      item: null,
      viewsetId: null,
    },
  };

  it('shows that an image is damaged in storage and since when', async () => {
    const { stage } = await openWorkspace({ content: damaged });
    const failure = { kind: 'refused', status: 422, code: 'image-damaged', errors: [] } as const;
    act(() => stage.emit({ type: 'image.failed', id: uid, error: new ServiceError(failure) }));
    const words = screen.getByRole('alert').textContent ?? '';
    expect(words).toContain('The image is damaged in storage');
    expect(words).toMatch(/Damaged in storage since .*2026/);
    expect(words).not.toContain('safe');
    expect(stages).toHaveLength(1);
  });

  it('warns over a previously drawn image that its file is damaged', async () => {
    const { load } = await openWorkspace({ content: damaged });
    await load();
    expect(screen.getByText(/^Damaged in storage since .*The picture shown was made earlier/)).toBeTruthy();
  });

  it('shows what to do without WebGL', async () => {
    const { stage } = await openWorkspace();
    act(() => stage.emit({ type: 'stage.failed', error: new Error('does not support WebGL 2') }));
    expect(screen.getAllByRole('alert').at(-1)?.textContent).toContain('graphics acceleration');
  });

  it('keeps its stage and view from the mount to an image and back', async () => {
    const mount: ShownContent = { kind: 'mount', viewset: aViewset([viewsetItem(0)]) };
    const [item] = mount.viewset.viewSetItems;
    const alone: ShownContent = {
      kind: 'image',
      shown: { image: imageInfo(1), item: item ?? null, viewsetId: mount.viewset.viewSetUuid },
    };
    const actor = createActor(machine).start();
    const Both = () => {
      const [content, setContent] = useState<ShownContent>(mount);
      return (
        <InWorkspace viewer={actor} openImages={openImages}>
          <ViewerWorkspace
            {...plainProps}
            content={content}
            activeUid={uid}
            navigation={{
              open: () => setContent(alone),
              step: () => {},
              compare: null,
              back: () => setContent(mount),
            }}
            onChoose={() => {}}
          />
        </InWorkspace>
      );
    };
    await show(<Both />);
    await act(async () => {});
    const [stage] = stages;
    if (!stage) throw new Error('the room opened no stage');
    const scene = () => stage.scenes.at(-1);
    expect(scene()?.mount).toEqual({ width: 1000, height: 800, view: 'fit' });
    act(() => stage.emit({ type: 'image.loaded', id: uid, image: loaded() }));
    act(() => stage.emit({ type: 'image.opened', id: uid }));
    expect(scene()).toMatchObject({ mount: null, images: [{ id: uid, view: 'fit' }] });
    const view = { centreX: 1, centreY: 2, scale: 3 };
    const settle = (display: Display, seen: View) =>
      act(() => stage.emit({ type: 'gesture.settled', id: uid, gesture: 'zoom', display, view: seen, followed: [] }));
    settle(plainDisplay, view);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(scene()?.images).toMatchObject([{ view: 'fit' }]);
    settle({ ...plainDisplay, inverted: true }, 'fit');
    act(() => stage.emit({ type: 'image.opened', id: uid }));
    expect(scene()?.images).toMatchObject([{ view, display: { inverted: true } }]);
    expect(stages).toHaveLength(1);
    expect(stage.disposed).toBe(false);
  });

  it('frames the active image of a comparison, and unlinks on press', async () => {
    const content: ShownContent = {
      kind: 'compare',
      images: [1, 2].map((number) => ({ image: imageInfo(number), item: null, viewsetId: null })),
    };
    const { stage, load, onChoose } = await openWorkspace({ content });
    await load();
    expect(stage.scenes.at(-1)).toMatchObject({ linked: true, active: uid });
    expect(document.querySelectorAll('[data-framed]')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Link images' }));
    expect(stage.scenes.at(-1)?.linked).toBe(false);
    act(() => stage.emit({ type: 'image.chosen', id: imageInfo(2).uid }));
    expect(onChoose).toHaveBeenCalledWith(imageInfo(2).uid);
  });
});
