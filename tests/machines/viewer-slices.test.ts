import { describe, expect, it } from 'vitest';
import { linkedUnsavedOf, withDisplaySettled, withStageImages } from '../../src/machines/viewer/linked.rules.ts';
import { unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import {
  emptyWorkspace,
  isFresh,
  settingsOf,
  type Workspace,
  withStep,
} from '../../src/machines/viewer/viewer.rules.ts';
import { bright, dark, stageImageOf } from './viewer-fixtures.ts';

const slice = (imageUid: string, more: Parameters<typeof stageImageOf>[1] = {}) =>
  stageImageOf(imageUid, { viewsetId: null, turn: null, slicesOf: '2.25.1', ...more });
const zoomed = { centreX: 10, centreY: 20, scale: 3 };
const show = (workspace: Workspace, ...images: Parameters<typeof withStageImages>[1]) =>
  withStageImages(workspace, images);
const opened = show(emptyWorkspace, slice('one'));
const changed = withDisplaySettled(opened, { imageUid: 'one', display: dark, view: zoomed }, []);

describe('the next slice of a series', () => {
  it('has window and view of the one before, and the one after it too', () => {
    const second = show(changed, slice('two'));
    expect(settingsOf(second, 'two')).toMatchObject({ display: { voi: dark.voi }, view: zoomed });
    const third = show(second, slice('three'));
    expect(settingsOf(third, 'three')).toMatchObject({ display: { voi: dark.voi }, view: zoomed });
    const back = show(third, slice('two'));
    expect(settingsOf(back, 'two')).toMatchObject({ display: { voi: dark.voi }, view: zoomed });
  });

  it('is not saved and not reported as unsaved, and a reset shows its own window', () => {
    const saved = unsavedOf(changed).length;
    const second = show(changed, slice('two'));
    expect(linkedUnsavedOf(second)).toEqual([]);
    expect(unsavedOf(second)).toHaveLength(saved);
    expect(isFresh(second, 'two')).toBe(false);
    const reset = withStep(second, 'two', { display: null, linkedVoi: null, view: 'fit' });
    expect(settingsOf(reset, 'two')).toMatchObject({ display: { voi: null }, view: 'fit' });
  });

  it('keeps a window that was saved for it', () => {
    const second = show(changed, slice('two', { display: bright, displayVersion: 1 }));
    expect(settingsOf(second, 'two')).toMatchObject({ display: bright, view: zoomed });
  });

  it('has the default of its file while the one before has', () => {
    expect(settingsOf(show(opened, slice('two')), 'two')).toMatchObject({ display: { voi: null }, view: 'fit' });
  });
});

it.each([
  ['another series', slice('two', { slicesOf: '2.25.2' })],
  ['a radiograph', slice('two', { slicesOf: null })],
])('%s keeps its own window and view', (_, next) => {
  expect(settingsOf(show(changed, next), 'two')).toMatchObject({ display: { voi: null }, view: 'fit' });
});

it('slices of a comparison keep their own windows', () => {
  const compared = show(changed, slice('two'), slice('three'));
  expect(settingsOf(compared, 'two')).toMatchObject({ display: { voi: null }, view: 'fit' });
});
