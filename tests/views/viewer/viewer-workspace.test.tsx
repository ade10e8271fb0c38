import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import { selectTool } from '../../../src/machines/viewer/viewer.machine.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import type { Images, View } from '../../../src/viewer/index.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { aViewset } from '../records.ts';
import { show } from '../render.tsx';
import { stages } from './fake-stage.ts';
import { imageInfo, noHistory, noPriors, plainProps, viewsetItem } from './workspace-fixtures.ts';
import { imageUid, loaded, openImages, openWorkspace, viewerWithoutSaving } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

beforeEach(() => {
  stages.length = 0;
  localStorage.clear();
});

describe('the viewer workspace', () => {
  it('shows the active image, and its facts once it is drawn', async () => {
    const { stage, load } = await openWorkspace();
    expect(stage.scenes.at(-1)).toMatchObject({ active: imageUid, images: [{ id: imageUid }] });
    const viewer = screen.getByRole('region', { name: 'Image viewer' });
    expect(viewer.getAttribute('aria-busy')).toBe('true');
    await load();
    expect(viewer.getAttribute('aria-busy')).toBe('false');
    expect(viewer.textContent).toContain('Torbjörn Fägerskiöld');
    expect(viewer.textContent).toContain('C 2000  W 1000');
    expect(screen.getByTestId('overlay-zoom').textContent).toBe('50 %');
    expect(screen.getByTestId('overlay-quality').textContent).toBe('Full qualityLossless');
  });

  it('shows the date of an image, but not the one that a picture file has from its study', async () => {
    const viewer = () => screen.getByRole('region', { name: 'Image viewer' }).textContent;
    const opened = await openWorkspace();
    expect(viewer()).toContain('2026-03-02');
    opened.page.unmount();
    const image = { ...imageInfo(1), source: 'picture' as const, imageAcquiredDate: '2026-03-02' };
    await openWorkspace({ content: { kind: 'image', shown: { image, item: null, viewsetId: null } } });
    expect(viewer()).not.toContain('2026-03-02');
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
    expect(stage.acts.filter(({ type }) => type !== 'tool')).toHaveLength(1);
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
    fireEvent.keyDown(document.body, { key: 'H', shiftKey: true });
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(true);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(false);
    expect(onBack).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'H', shiftKey: true });
    page.unmount();
    expect(document.documentElement.hasAttribute('data-focus-mode')).toBe(false);
  });

  it('shows why an image cannot be shown, and retries on a new stage', async () => {
    const { stage } = await openWorkspace();
    act(() => stage.emit({ type: 'image.failed', id: imageUid, error: new TypeError('network') }));
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
    act(() => stage.emit({ type: 'image.failed', id: imageUid, error: new ServiceError(failure) }));
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

  it('is busy until its stage is open, and then opens the print dialog that was asked for before', async () => {
    const { promise, resolve } = Promise.withResolvers<Images>();
    const content: ShownContent = { kind: 'mount', viewset: aViewset([viewsetItem(0)]) };
    await show(
      <InWorkspace viewer={createActor(viewerWithoutSaving).start()} openImages={() => promise}>
        <ViewerWorkspace
          {...plainProps}
          content={content}
          activeUid={null}
          navigation={{ ...noHistory, open: vi.fn(), step: vi.fn(), compare: null, prior: noPriors, back: null }}
          onChoose={vi.fn()}
        />
      </InWorkspace>,
    );
    const viewer = screen.getByRole('region', { name: 'Image viewer' });
    expect(viewer.getAttribute('aria-busy')).toBe('true');
    // A key that was handled does not print the page of the browser.
    expect(fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true })).toBe(false);
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(async () => resolve(await openImages()));
    expect(viewer.getAttribute('aria-busy')).toBe('false');
    expect(await screen.findByRole('dialog', { name: 'Print' })).toBeTruthy();
  });

  it('keeps its stage and view from the mount to an image and back', async () => {
    const mount: ShownContent = { kind: 'mount', viewset: aViewset([viewsetItem(0)]) };
    const [item] = mount.viewset.viewSetItems;
    const alone: ShownContent = {
      kind: 'image',
      shown: { image: imageInfo(1), item: item ?? null, viewsetId: mount.viewset.viewSetUuid },
    };
    const actor = createActor(viewerWithoutSaving).start();
    const Both = () => {
      const [content, setContent] = useState<ShownContent>(mount);
      return (
        <InWorkspace viewer={actor} openImages={openImages}>
          <ViewerWorkspace
            {...plainProps}
            content={content}
            activeUid={imageUid}
            navigation={{
              ...noHistory,
              open: () => setContent(alone),
              step: () => {},
              compare: null,
              prior: noPriors,
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
    if (!stage) throw new Error('the workspace opened no stage');
    const scene = () => stage.scenes.at(-1);
    expect(scene()?.mount).toEqual({ width: 1000, height: 800, view: 'fit' });
    act(() => stage.emit({ type: 'image.loaded', id: imageUid, image: loaded() }));
    act(() => stage.emit({ type: 'image.opened', id: imageUid }));
    expect(scene()).toMatchObject({ mount: null, images: [{ id: imageUid, view: 'fit' }] });
    const view = { centreX: 1, centreY: 2, scale: 3 };
    const settle = (display: Display, seen: View) =>
      act(() =>
        stage.emit({ type: 'gesture.settled', id: imageUid, gesture: 'zoom', display, view: seen, followed: [] }),
      );
    settle(plainDisplay, view);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(scene()?.images).toMatchObject([{ view: 'fit' }]);
    settle({ ...plainDisplay, inverted: true }, 'fit');
    act(() => stage.emit({ type: 'image.opened', id: imageUid }));
    expect(scene()?.images).toMatchObject([{ view, display: { inverted: true } }]);
    expect(stages).toHaveLength(1);
    expect(stage.disposed).toBe(false);
  });

  it('frames the active image of a comparison, and unlinks on press', async () => {
    const content: ShownContent = {
      kind: 'compare',
      images: [1, 2].map((number) => ({ image: imageInfo(number), item: null, viewsetId: null })),
      prior: null,
    };
    const { stage, load, onChoose } = await openWorkspace({ content });
    await load();
    expect(stage.scenes.at(-1)).toMatchObject({ linked: true, active: imageUid });
    expect(document.querySelectorAll('[data-framed]')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Link images' }));
    expect(stage.scenes.at(-1)?.linked).toBe(false);
    act(() => stage.emit({ type: 'image.chosen', id: imageInfo(2).uid }));
    expect(onChoose).toHaveBeenCalledWith(imageInfo(2).uid);
  });
});
