import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectSettingsOf } from '../../../src/machines/viewer/viewer.machine.ts';
import { stages } from './fake-stage.ts';
import { imageUid, loaded, openWorkspace } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

beforeEach(() => {
  stages.length = 0;
  localStorage.clear();
});

describe('the settings of the active image', () => {
  it('updates the stage while a slider moves, and the machine once on release: one undo step', async () => {
    const { actor, stage, load } = await openWorkspace();
    await load();
    const settled = vi.fn();
    actor.subscribe((snapshot) => settled(selectSettingsOf(imageUid)(snapshot).display.gamma));
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
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).display.gamma).toBe(2);
    act(() => actor.send({ type: 'change.undone' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).display.gamma).toBe(1);
    expect(actor.getSnapshot().can({ type: 'change.undone' })).toBe(false);
  });

  it('moves the window by its handles with the keyboard', async () => {
    const { actor, load } = await openWorkspace();
    await load();
    const handle = screen.getByRole('slider', { name: 'Brightest value' });
    expect(handle.getAttribute('aria-valuenow')).toBe('2500');
    fireEvent.keyDown(handle, { key: 'End' });
    fireEvent.keyUp(handle, { key: 'End' });
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).display.voi).toMatchObject({ centre: 2750, width: 2500 });
  });

  it("applies a preset, and resets the window with the file's first one", async () => {
    const { actor, load } = await openWorkspace();
    await load();
    const presets = within(screen.getByRole('group', { name: 'Presets' }));
    expect(presets.getByRole('button', { name: 'Bone' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(presets.getByRole('button', { name: 'Full range' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).display.voi).toMatchObject({ centre: 2000, width: 4000 });
    fireEvent.click(presets.getByRole('button', { name: 'Bone' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).display.voi).toBeNull();
  });

  it('names a VOI LUT on the image as on its button', async () => {
    const { load } = await openWorkspace();
    const lut = { firstInput: 0, bits: 8, values: new Uint16Array([0, 255]), explanation: null };
    const voi = { kind: 'lut', index: 0 } as const;
    const image = loaded();
    await load({ ...image, voiLuts: [{ kind: 'lut', lut }], original: { ...image.original, voi } });
    const presets = within(screen.getByRole('group', { name: 'Presets' }));
    const pressed = presets.getByRole('button', { pressed: true });
    expect(pressed.textContent).toBe('LUT 1 from file');
    expect(within(screen.getByTestId('overlay-window')).getByText(pressed.textContent)).toBeTruthy();
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
    act(() => stage.emit({ type: 'marks.settled', id: imageUid, marks: [mark] }));
    expect(screen.getByText('10.0 mm at detector')).toBeTruthy();
    act(() => stage.emit({ type: 'calibration.drawn', id: imageUid, lengthPixels: 500 }));
    const dialog = await screen.findByRole('dialog', { name: 'Calibrate the image' });
    fireEvent.change(within(dialog).getByLabelText('True length of the line'), { target: { value: 'ten' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Calibrate' }));
    expect(within(dialog).getByText('Enter a length in millimetres, such as 12.5.')).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText('True length of the line'), { target: { value: '12,5' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Calibrate' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).calibration).toEqual({ mmPerPixel: 0.025 });
    expect(screen.getByText('12.5 mm calibrated')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Delete the measurement 12.5 mm calibrated' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).marks).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove the calibration' }));
    expect(selectSettingsOf(imageUid)(actor.getSnapshot()).calibration).toBeNull();
  });
});
