import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PresentationState } from '../../../contract/presentation-states.ts';
import { selectSettingsOf } from '../../../src/machines/viewer/viewer.machine.ts';
import type { LoadedImage } from '../../../src/viewer/index.ts';
import type { ImageStates } from '../../../src/views/workspace/states/use-image-states.ts';
import { openRealWorkspace } from './real-workspace.tsx';
import { stages } from './viewer-with-real-stage.ts';
import { imageInfo } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));
const painted = vi.hoisted(() => ({ labels: [] as (string | null | undefined)[] }));
vi.mock('../../../src/viewer/layers/paint-state.ts', () => ({
  paintShutters: () => undefined,
  paintAnnotations: (_: unknown, { image }: { image: LoadedImage }) => painted.labels.push(image.presentation?.label),
}));

vi.mock('../../../src/viewer/layers/paint-planes.ts', () => ({ paintPlanes: () => undefined }));

// jsdom has no canvas.
HTMLCanvasElement.prototype.getContext = (() => ({
  canvas: document.body,
  clearRect: () => painted.labels.splice(0),
})) as never;

const imageUid = imageInfo(1).uid;

const state = (label: string, changes: Partial<PresentationState> = {}): PresentationState => ({
  id: `00000000-0000-4000-8000-0000000000${label.length}${label.length}`,
  label,
  description: null,
  creator: 'Ek^Åsa',
  createdAt: '2026-03-14T10:15:00',
  frames: null,
  rotation: 90,
  horizontalFlip: false,
  areas: [],
  grey: {
    modality: { kind: 'rescale', slope: 1, intercept: 0 },
    vois: [{ frames: null, voi: { kind: 'window', centre: 900, width: 400, function: 'LINEAR' } }],
    presentationLut: null,
    inverted: true,
  },
  shutters: [{ shape: 'circle', centre: [100, 100], radius: 50 }],
  bitmapShutter: null,
  shutterColour: '#000000',
  annotations: [],
  notShown: [],
  ...changes,
});

const open = (
  states: readonly PresentationState[],
  more: Partial<ImageStates> = {},
  kind: 'image' | 'mount' = 'image',
) => openRealWorkspace({ kind, states: { imageUid, states, unreadable: 0, unsupported: 0, isFailed: false, ...more } });

const choices = () => screen.getByRole('radiogroup', { name: 'Saved displays' });
const choose = (name: RegExp) => act(async () => void fireEvent.click(within(choices()).getByRole('radio', { name })));
const press = (key: string) => act(async () => void fireEvent.keyDown(document.body, { key }));
const sign = () => screen.queryByTestId('overlay-state')?.textContent ?? null;
const drawn = () => stages.at(-1)?.drawn.get(imageUid)?.display;

beforeEach(() => {
  localStorage.clear();
  stages.length = 0;
  painted.labels = [];
});

describe('the saved displays of an image', () => {
  it('are offered by description or label, creator and date, and none is chosen by itself', async () => {
    await open([state('ENDO', { description: 'Before the root canal' }), state('OTHER')]);
    const names = within(choices())
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.textContent);
    expect(names).toEqual([
      'As stored',
      'Before the root canalENDO · Åsa Ek · 2026-03-14 10:15',
      'OTHERÅsa Ek · 2026-03-14 10:15',
    ]);
    expect(within(choices()).getByRole<HTMLInputElement>('radio', { name: 'As stored' }).checked).toBe(true);
    expect(sign()).toBeNull();
    expect(painted.labels).toEqual([]);
  });

  it('give the image their window, inversion, orientation and graphics, and name it in its corner', async () => {
    const { scenes } = await open([state('ENDO')]);
    const before = drawn();
    await choose(/^ENDO/);
    await waitFor(() => expect(drawn()).toMatchObject({ rotation: 90, voi: { centre: 900, width: 400 } }));
    expect(scenes.at(-1)?.images[0]).toMatchObject({ state: { label: 'ENDO' }, display: { voi: null, rotation: 90 } });
    expect(painted.labels).toEqual(['ENDO']);
    expect(sign()).toBe('Saved display: ENDO');
    await choose(/^As stored/);
    await waitFor(() => expect(drawn()).toEqual(before));
    expect([painted.labels, sign()]).toEqual([[], null]);
  });

  it('save nothing until a tool changes the image, and bring back the display of the user', async () => {
    const { actor, scenes } = await open([state('ENDO')]);
    const stored = () => selectSettingsOf(imageUid)(actor.getSnapshot()).display;
    await press('i');
    await waitFor(() => expect(drawn()?.inverted).toBe(true));
    await choose(/^ENDO/);
    await waitFor(() => expect(drawn()).toMatchObject({ rotation: 90, inverted: false }));
    expect(stored()).toMatchObject({ rotation: 0, inverted: true });
    await press('r');
    await waitFor(() => expect(drawn()).toMatchObject({ rotation: 180, inverted: false }));
    expect(stored()).toMatchObject({ rotation: 180, inverted: false });
    await choose(/^As stored/);
    await waitFor(() => expect(drawn()).toMatchObject({ rotation: 0, inverted: true }));
    expect(stored()).toMatchObject({ rotation: 0, inverted: true });
    expect(scenes.at(-1)?.images[0]?.state).toBeNull();
  });

  it('stay below the tools: a reset returns to the state', async () => {
    await open([state('ENDO')]);
    await choose(/^ENDO/);
    await press('r');
    await waitFor(() => expect(drawn()?.rotation).toBe(180));
    await press('Backspace');
    await waitFor(() => expect(drawn()).toMatchObject({ rotation: 90, voi: { centre: 900 } }));
    expect(sign()).toBe('Saved display: ENDO');
  });

  it.each<Partial<PresentationState>>([
    {},
    { shutters: [], bitmapShutter: { x: 0, y: 0, width: 1, height: 1, runs: [0, 1] } },
  ])('are hidden with the marks, which is said on the image: %j', async (shutter) => {
    await open([state('ENDO', shutter)]);
    await choose(/^ENDO/);
    await press('v');
    await waitFor(() => expect(painted.labels).toEqual([]));
    expect(sign()).toBe('Saved display: ENDOIts graphics are hidden');
    await press('v');
    await waitFor(() => expect(painted.labels).toEqual(['ENDO']));
    expect(sign()).toBe('Saved display: ENDO');
  });

  describe('with a displayed area', () => {
    const area = { frames: null, magnification: null, isTrueSize: false };
    const section = { ...area, from: [100, 50], to: [200, 125] } satisfies PresentationState['areas'][number];
    const upright = { rotation: 0, shutters: [] };
    const camera = () => stages.at(-1)?.drawn.get(imageUid)?.camera;
    /** The stage has 800 x 600 pixels, the image 400 x 300. */
    const whole = { centreX: 200, centreY: 150, scale: 2 };
    const part = { centreX: 150, centreY: 87.5, scale: 8 };

    it('show that section of the image, from which the user zooms on and returns to the whole image', async () => {
      const { actor, saved } = await open([state('ENDO', { ...upright, areas: [section] })]);
      expect(camera()).toEqual(whole);
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual(part));
      expect(sign()).toBe('Saved display: ENDOSection of the image');
      await press('+');
      await waitFor(() => expect(camera()?.scale).toBeGreaterThan(8));
      expect(camera()).toMatchObject({ centreX: 150, centreY: 87.5 });
      expect(sign()).toBe('Saved display: ENDO');
      await press('Backspace');
      await waitFor(() => expect(camera()).toEqual(part));
      await press('q');
      await waitFor(() => expect(camera()).toEqual(whole));
      expect(sign()).toBe('Saved display: ENDO');
      await act(async () => void actor.send({ type: 'page.hidden' }));
      expect(saved).toEqual([]);
    });

    it('show the whole image again when another one or none is chosen', async () => {
      await open([state('ENDO', { ...upright, areas: [section] }), state('OTHER', upright)]);
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual(part));
      await choose(/^OTHER/);
      await waitFor(() => expect(camera()).toEqual(whole));
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual(part));
      await choose(/^As stored/);
      await waitFor(() => expect(camera()).toEqual(whole));
    });

    it('keep the changes of the user under it', async () => {
      await open([state('ENDO', { ...upright, areas: [section] })]);
      await press('i');
      await waitFor(() => expect(drawn()?.inverted).toBe(true));
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual(part));
      expect(drawn()?.inverted).toBe(false);
      await choose(/^As stored/);
      await waitFor(() => expect(camera()).toEqual(whole));
      expect(drawn()?.inverted).toBe(true);
    });

    it('are magnified by their ratio', async () => {
      await open([state('ENDO', { ...upright, areas: [{ ...section, magnification: 3 }] })]);
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual({ ...part, scale: 3 }));
    });

    it('in true size are as large as the stage allows, which is said', async () => {
      await open([state('ENDO', { ...upright, areas: [{ ...section, isTrueSize: true }] })]);
      await choose(/^ENDO/);
      await waitFor(() => expect(camera()).toEqual(part));
      expect(screen.getByText('Not shown: true size')).not.toBeNull();
    });

    it('of another frame show the whole image', async () => {
      await open([state('ENDO', { ...upright, areas: [{ ...section, frames: [2] }] })]);
      await choose(/^ENDO/);
      expect(sign()).toBe('Saved display: ENDO');
      expect(camera()).toEqual(whole);
    });

    it('show the whole image in a mount, which is said', async () => {
      await open([state('ENDO', { ...upright, areas: [section] })], {}, 'mount');
      await choose(/^ENDO/);
      expect(sign()).toBe('Saved display: ENDONot shown in full');
      expect(screen.getByText('Not shown: chosen section of the image')).not.toBeNull();
      expect(camera()).toMatchObject({ centreX: 200, centreY: 150 });
    });
  });

  it('name what of them is not shown', async () => {
    await open([state('ENDO', { notShown: ['bitmap-shutter', 'mask'] })]);
    await choose(/^ENDO/);
    expect(screen.getByText('Not shown: some shutters, mask subtraction')).not.toBeNull();
    expect(sign()).toBe('Saved display: ENDONot shown in full');
  });

  it('of other frames change nothing and say so', async () => {
    await open([state('ENDO', { frames: [2], rotation: 0 })]);
    const before = drawn();
    await choose(/^ENDO/);
    expect(screen.getByText('Not shown: anything, as it is for other frames')).not.toBeNull();
    expect([drawn(), painted.labels]).toEqual([before, []]);
  });

  it('that cannot be read or loaded are reported', async () => {
    await open([], { unreadable: 2 });
    expect(screen.getByText('2 saved displays of this patient cannot be read.')).not.toBeNull();
    expect(screen.queryByRole('radiogroup', { name: 'Saved displays' })).toBeNull();
  });

  it('that are in pseudo-colour are reported', async () => {
    await open([], { unsupported: 1 });
    const text = '1 saved display of this image is in pseudo-colour and cannot be shown.';
    expect(screen.getByText(text)).not.toBeNull();
    expect(screen.queryByRole('radiogroup', { name: 'Saved displays' })).toBeNull();
  });

  it('are no section of an image without any', async () => {
    await open([]);
    expect(screen.queryByText('Saved displays')).toBeNull();
  });

  it('are named on the stage when the texts on the image are off', async () => {
    await open([state('ENDO')]);
    await choose(/^ENDO/);
    expect(screen.queryByText('1 image is shown with a saved display')).toBeNull();
    await press('o');
    await waitFor(() => expect(sign()).toBeNull());
    expect(screen.getByText('1 image is shown with a saved display')).not.toBeNull();
  });

  it('are a preset of their own beside those of the file', async () => {
    await open([state('ENDO')]);
    await choose(/^ENDO/);
    const presets = screen.getByRole('group', { name: 'Presets' });
    const own = within(presets).getByRole('button', { name: 'Saved display' });
    expect(own.getAttribute('aria-pressed')).toBe('true');
    await act(async () => fireEvent.click(within(presets).getByRole('button', { name: 'Full range' })));
    await waitFor(() => expect(own.getAttribute('aria-pressed')).toBe('false'));
    expect(drawn()?.voi).not.toMatchObject({ centre: 900 });
    await act(async () => fireEvent.click(own));
    await waitFor(() => expect(drawn()?.voi).toMatchObject({ centre: 900, width: 400 }));
  });
});
