import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { Intent } from '../../../src/viewer/index.ts';
import { mountKeys } from '../../../src/views/workspace/viewer/shortcuts.ts';
import { anImage } from '../records.ts';
import { fullMouthBoxes, mountOf, slotIn } from './mount-fixture.ts';
import { renderMount } from './render-mount.tsx';

beforeEach(() => localStorage.clear());

const boxes = fullMouthBoxes();
type Mount = Awaited<ReturnType<typeof renderMount>>;
type Steps = (mount: Mount) => Promise<unknown>;

/** 18 slots, an image in the first and a document in the second; two images in the tray. */
const openMount = () => {
  const filled = [anImage('a'), anImage('b', { kind: 'document' })];
  return renderMount(
    mountOf(
      boxes.map((box, index) => slotIn(index, box, filled[index])),
      [anImage('c'), anImage('d')],
    ),
  );
};

const slot = (number: number) => screen.getByRole('option', { name: new RegExp(`^Slot ${number},`) });
const trayImage = (index: number): HTMLElement => {
  const image = within(screen.getByRole('listbox', { name: 'Images in the tray' })).getAllByRole('option')[index];
  if (!image) throw new Error(`the tray has no image ${index}`);
  return image;
};
const selected = ({ actor }: Mount) => actor.getSnapshot().context.selection;

const emitFromStage = ({ emit }: Mount, intent: Intent) => act(() => emit(intent as never));
/** A press in the middle of a slot, in mount units. */
const pressSlot = async (mount: Mount, number: number) => {
  const [x, y, width, height] = boxes[number - 1] ?? [0, 0, 0, 0];
  emitFromStage(mount, { type: 'mount.pressed', x: x + width / 2, y: y + height / 2 });
  await waitFor(() => expect(selected(mount).slot).toBe(number - 1));
};
const dropOn = (selector: string) => {
  document.elementFromPoint = () => document.querySelector(selector);
  fireEvent.pointerMove(window, { pointerId: 7, clientX: 50, clientY: 50 });
  fireEvent.pointerUp(window, { pointerId: 7, clientX: 50, clientY: 50 });
};
const dragSlot = (mount: Mount, image: string, selector: string) => {
  emitFromStage(mount, { type: 'image.dragged', id: image, pointerId: 7, clientX: 5, clientY: 5 } as Intent);
  dropOn(selector);
};
const called = (mount: Mount, times = 1) => waitFor(() => expect(mount.calls).toHaveLength(times));

interface Twin {
  readonly byKey: Steps;
  readonly byPointer: Steps;
  /** The part of the result that both ways must share. */
  readonly result: (mount: Mount) => unknown;
}

const twins: Record<(typeof mountKeys)[number][1], Twin> = {
  keyStep: {
    byKey: async () => userEvent.keyboard('1{ArrowDown}'),
    byPointer: (mount) => pressSlot(mount, 9),
    result: selected,
  },
  keyEnds: {
    byKey: async () => userEvent.keyboard('1{End}'),
    byPointer: (mount) => pressSlot(mount, 18),
    result: selected,
  },
  keyEnter: {
    byKey: async () => userEvent.keyboard('2{Enter}{Enter}'),
    byPointer: async () => fireEvent.doubleClick(slot(2)),
    result: ({ opened, calls }) => [opened.at(-1), calls],
  },
  keyTray: {
    byKey: async () => userEvent.keyboard('t'),
    byPointer: async () => userEvent.click(trayImage(0)),
    result: (mount) => selected(mount).trayImage,
  },
  keyDigits: {
    byKey: async (mount) => {
      await userEvent.keyboard('t17');
      await called(mount);
    },
    byPointer: async (mount) => {
      fireEvent.pointerDown(trayImage(0), {
        pointerId: 7,
        button: 0,
        isPrimary: true,
        pointerType: 'mouse',
        clientX: 0,
        clientY: 0,
      });
      fireEvent.pointerMove(window, { pointerId: 7, clientX: 20, clientY: 20 });
      dropOn('[data-drop-slot="16"]');
      await called(mount);
    },
    result: ({ calls }) => calls,
  },
  keyUnmount: {
    byKey: async (mount) => {
      await pressSlot(mount, 1);
      await userEvent.keyboard('u');
      await called(mount);
    },
    byPointer: async (mount) => {
      dragSlot(mount, 'a', '[data-drop-tray]');
      await called(mount);
    },
    result: ({ calls }) => calls,
  },
  placeAll: {
    byKey: async (mount) => {
      await userEvent.keyboard('{Shift>}m{/Shift}');
      await called(mount, 2);
    },
    byPointer: async (mount) => {
      await userEvent.click(screen.getByRole('button', { name: 'Place images automatically' }));
      await called(mount, 2);
    },
    result: ({ calls }) => calls,
  },
  keyCut: {
    byKey: async (mount) => {
      await pressSlot(mount, 1);
      await userEvent.keyboard('{Control>}x{/Control}');
    },
    // Only marked: nothing may change before it is pasted.
    byPointer: (mount) => pressSlot(mount, 1),
    result: (mount) => [mount.calls, selected(mount)],
  },
  keyPaste: {
    byKey: async (mount) => {
      await pressSlot(mount, 1);
      await userEvent.keyboard('{Control>}x{/Control}');
      await pressSlot(mount, 5);
      await userEvent.keyboard('{Control>}v{/Control}');
      await called(mount);
    },
    byPointer: async (mount) => {
      dragSlot(mount, 'a', '[data-drop-slot="4"]');
      await called(mount);
    },
    result: ({ calls }) => calls,
  },
};

it.each(mountKeys.map(([keys, text]) => [keys.join(' '), text] as const))(
  'the key %s of the list of shortcuts does what the pointer does',
  async (_keys, text) => {
    const { byKey, byPointer, result } = twins[text];
    const results: unknown[] = [];
    for (const steps of [byKey, byPointer]) {
      const mount = await openMount();
      await steps(mount);
      results.push(result(mount));
      mount.actor.stop();
      mount.page.unmount();
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).not.toBeUndefined();
  },
);
