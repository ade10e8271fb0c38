import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import type { Images, LoadedImage } from '../../../src/viewer/index.ts';
import type { PriorComparison, ShownContent } from '../../../src/views/app/shown-content.ts';
import type { ImageStates } from '../../../src/views/workspace/states/use-image-states.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { imagesOf, loadedPicture } from '../../gpu/page/synthetic.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { aSlot, aViewset } from '../records.ts';
import { show } from '../render.tsx';
import { stages } from './viewer-with-real-stage.ts';
import { imageInfo, plainProps } from './workspace-fixtures.ts';

// jsdom has no layout; the stage needs a size.
HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 800, 600);

// jsdom has no pointer capture.
HTMLElement.prototype.hasPointerCapture = () => false;

/** 400 x 300, grey values over the full range. */
export const picture = (frames = 1, changes: Partial<LoadedImage> = {}): LoadedImage => {
  const values = Uint16Array.from({ length: 400 * 300 }, (_, at) => (at * 7919) % 65_536);
  const loaded = loadedPicture({ width: 400, height: 300, pixels: { format: 'u16', values } });
  const spacing = { rowMm: 0.02, columnMm: 0.02, kind: 'detector' } as const;
  return { ...loaded, description: { ...loaded.description, numberOfFrames: frames, spacing }, ...changes };
};

export interface WorkspaceOptions {
  readonly images?: readonly ImageInfo[];
  readonly kind?: 'image' | 'compare' | 'mount';
  /** Makes the comparison one with an earlier image. */
  readonly prior?: PriorComparison;
  readonly frames?: number;
  readonly pictures?: Readonly<Record<string, LoadedImage>>;
  /** Presentation states of the first image. */
  readonly states?: ImageStates;
  /** Never resolves: an image that stays loading. */
  readonly loading?: boolean;
}

/** With this priority `useCine` loads frames. */
const filmPriority = 4;
const never = () => new Promise<never>(() => undefined);

/** Renders the real workspace with the real stage and machine; only GPU drawing is mocked. */
export const openRealWorkspace = async ({
  kind = 'image',
  frames = 1,
  loading = false,
  ...options
}: WorkspaceOptions = {}) => {
  const infos =
    options.images ?? [imageInfo(1, { frames }), imageInfo(2, { frames })].slice(0, kind === 'image' ? 1 : 2);
  const shown = infos.map((image) => ({ image, item: null, viewsetId: null }));
  const [first] = shown;
  if (!first) throw new Error('no image');
  const contents: Readonly<Record<typeof kind, ShownContent>> = {
    image: { kind: 'image', shown: first },
    compare: { kind: 'compare', images: shown, prior: options.prior ?? null },
    mount: { kind: 'mount', viewset: aViewset(infos.map((image, index) => aSlot(index, { activeImage: image }))) },
  };
  const pictures = options.pictures ?? Object.fromEntries(infos.map(({ uid }) => [uid, picture(frames)]));
  const source = imagesOf(pictures);
  // A film stays at its frame: its next one never arrives, so outcomes do not depend on the time that passed.
  const load: Images['load'] = (image, frame, wanted) =>
    loading || wanted?.priority === filmPriority ? never() : source.load(image, frame, wanted);
  const images: Images = { ...source, load };
  const openImages = () => Promise.resolve(images);
  const saved: (readonly Change[])[] = [];
  const machine = viewerMachine.provide({
    actors: {
      saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(({ input }) => {
        saved.push(input);
        return never();
      }),
    },
    // Tests save by hiding the page; a slow machine must not save earlier.
    delays: { saveDelay: 600_000 },
  });
  const actor = createActor(machine).start();
  const calls = {
    onChoose: vi.fn(),
    onOpen: vi.fn(),
    onStep: vi.fn(),
    onStepMount: vi.fn(),
    onBack: vi.fn(),
    onCompare: vi.fn(),
    onHistory: vi.fn(),
    onAccept: vi.fn(),
  };
  const prior = { older: vi.fn(), later: vi.fn(), swap: vi.fn(), mounts: vi.fn() };
  const page = await show(
    <InWorkspace viewer={actor} openImages={openImages}>
      <ViewerWorkspace
        {...plainProps}
        states={options.states ?? null}
        content={contents[kind]}
        activeUid={first.image.uid}
        navigation={{
          open: calls.onOpen,
          step: calls.onStep,
          stepMount: calls.onStepMount,
          compare: calls.onCompare,
          prior,
          openPair: vi.fn(),
          back: calls.onBack,
          toggleHistory: calls.onHistory,
          isHistoryOpen: false,
        }}
        onChoose={calls.onChoose}
        notes={[
          {
            subject: 'image',
            id: first.image.uid,
            body: (
              <div data-note="image">
                <textarea aria-label="Note on the image" />
              </div>
            ),
          },
        ]}
        grading={{
          accept: () => calls.onAccept(),
          body: (
            <div data-grade>
              <button type="button" onClick={() => calls.onAccept()}>
                Acceptable
              </button>
              <button type="button" data-reason>
                Position
              </button>
            </div>
          ),
        }}
        bar={<input aria-label="note" />}
      />
    </InWorkspace>,
  );
  await waitFor(() => expect(document.querySelector('canvas')).not.toBeNull());
  const watched = stages.at(-1);
  const canvas = document.querySelector('canvas');
  if (!watched || !canvas) throw new Error('no stage');
  if (!loading) {
    const viewer = screen.getByRole('region', { name: 'Image viewer' });
    await waitFor(() => expect(viewer.getAttribute('aria-busy')).toBe('false'));
    // Drawn once, so that later changes are visible.
    await waitFor(() =>
      expect(screen.getAllByTestId('overlay-zoom')).toHaveLength(kind === 'compare' ? infos.length : 1),
    );
  }
  return { actor, ...watched, canvas, saved, calls: { ...calls, ...prior }, page, uid: first.image.uid };
};

export type RealWorkspace = Awaited<ReturnType<typeof openRealWorkspace>>;

/** Dispatches a shortcut written in `aria-keyshortcuts` syntax. */
export const pressOf = (shortcut: string) => {
  const parts = shortcut === '+' ? ['+'] : shortcut.split('+');
  const name = parts.at(-1) ?? '';
  const named = { Arrows: 'ArrowUp', Space: ' ' }[name] ?? name;
  return {
    key: named.length === 1 && !parts.includes('Shift') ? named.toLowerCase() : named,
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Control'),
  };
};

export const pointer = (canvas: HTMLElement, type: string, x: number, y: number, button = 0) =>
  act(async () => {
    fireEvent(canvas, new MouseEvent(type, { clientX: x, clientY: y, button, bubbles: true, cancelable: true }));
  });
