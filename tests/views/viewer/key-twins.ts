import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { pointer, type RealWorkspace, type WorkspaceOptions } from './real-workspace.tsx';
import { imageInfo } from './workspace-fixtures.ts';

export type Step = (workspace: RealWorkspace) => void | Promise<void>;

export interface Twin {
  /** The equivalent without a key: a button by name, or a gesture. Null: there is none, and `must` gives the result. */
  readonly twin: string | Step | null;
  readonly must?: (workspace: RealWorkspace, before: Outcome) => void;
  readonly options?: WorkspaceOptions;
  readonly prepare?: Step;
}

const settings = ({ actor, uid }: RealWorkspace) => {
  const { workspace } = actor.getSnapshot().context;
  const [entry] = Object.values(workspace.imageStates).filter(({ imageUid }) => imageUid === uid);
  if (!entry) throw new Error('the machine does not know the image');
  return entry.settings;
};

/** Two undo steps and one redo step are possible, and there is something to reset. */
export const changed: Step = async (workspace) => {
  const { actor, uid } = workspace;
  const { display } = settings(workspace);
  const gamma = { ...display, gamma: 2 };
  await act(async () => {
    actor.send({ type: 'display.settled', imageUid: uid, display: gamma, view: 'fit' });
    actor.send({ type: 'display.settled', imageUid: uid, display: { ...gamma, inverted: true }, view: 'fit' });
    actor.send({ type: 'display.settled', imageUid: uid, display: { ...gamma, gamma: 3 }, view: 'fit' });
    actor.send({ type: 'change.undone' });
  });
};

const measured: Step = async ({ actor, canvas }) => {
  await act(async () => actor.send({ type: 'tool.chosen', tool: 'length' }));
  await pointer(canvas, 'pointerdown', 200, 200);
  await pointer(canvas, 'pointermove', 400, 200);
  await pointer(canvas, 'pointermove', 500, 200);
  await pointer(canvas, 'pointerup', 500, 200);
};

const scaleOf = ({ drawn, uid }: RealWorkspace) => drawn.get(uid)?.camera.scale ?? Number.NaN;

const enlarges = (by: number) => (workspace: RealWorkspace, before: Outcome) => {
  expect(scaleOf(workspace) / (before.drawn[0]?.camera.scale ?? Number.NaN)).toBeCloseTo(by, 6);
};

const wide: WorkspaceOptions = { frames: 5 };
const onSecondFrame: Step = async ({ actor }) => act(async () => actor.send({ type: 'frame.chosen', frame: 2 }));
const button = (twin: string): Twin => ({ twin });

const openMenu = () =>
  act(async () => {
    const [menu] = document.querySelectorAll<HTMLElement>('button[aria-label=Marks]');
    if (!menu) throw new Error('no menu of marks');
    fireEvent.click(menu);
  });

/** An item of the menu of marks. */
const fromMenu = (name: string): Twin => ({
  twin: async () => {
    await openMenu();
    await waitFor(() => expect(document.querySelector('[role=menuitem]')).not.toBeNull());
    await act(async () => {
      const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')];
      const item = items.find((one) => one.textContent?.startsWith(name));
      if (!item) throw new Error(`no item ${name}`);
      fireEvent.click(item);
    });
    await waitFor(() => expect(document.querySelector('[role=menu]')).toBeNull());
  },
});

const besideEarlier: WorkspaceOptions = {
  kind: 'compare',
  prior: {
    currentUid: imageInfo(1).uid,
    match: { by: 'teeth', teeth: [11] },
    priorDay: '2024-03-02',
    currentDay: '2026-03-02',
    hasLater: true,
    undated: 0,
  },
};

/** For each shortcut of the dialog, what does the same without a key. */
export const twins: Readonly<Record<string, Twin>> = {
  Escape: button('Back'),
  ',': button('Previous image'),
  '.': button('Next image'),
  W: button('Window: brightness and contrast'),
  A: button('Window from region'),
  P: button('Move the image'),
  Z: button('Zoom'),
  'Shift+R': button('Turn left'),
  R: button('Turn right'),
  F: button('Mirror'),
  'Shift+F': button('Mirror upside down'),
  I: button('Invert'),
  N: button('Noise filter'),
  E: button('Sharpen'),
  L: button('Length'),
  G: button('Angle'),
  K: button('Calibration'),
  X: button('Actual pixels, 1:1'),
  Q: button('Fit to the window'),
  M: button('Magnifier'),
  'Control+Z': button('Undo'),
  'Control+Shift+Z': button('Redo'),
  Backspace: button('Reset'),
  C: button('Compare images'),
  B: button('Compare with earlier image'),
  'Shift+B': { twin: 'Later image', options: besideEarlier },
  S: { twin: 'Swap the two images', options: besideEarlier },
  'Shift+S': { twin: 'Lay over each other and blink', options: { kind: 'compare' } },
  'Shift+C': { twin: 'Compare with earlier mount', options: { kind: 'mount' } },
  O: button('Text on the image'),
  V: fromMenu('Hide marks'),
  'Shift+V': fromMenu('Hide graphics of the file'),
  D: { twin: async () => openMenu() },
  'Shift+A': fromMenu('Arrow'),
  'Shift+T': fromMenu('Text'),
  'Shift+Q': fromMenu('Rectangle'),
  'Shift+E': fromMenu('Ellipse'),
  'Shift+P': fromMenu('Freehand line'),
  'Shift+L': fromMenu('Length along a curve'),
  'Shift+G': fromMenu('Area'),
  'Shift+X': fromMenu('Angle of two lines'),
  'Shift+K': fromMenu('Bone level ratio'),
  'Shift+D': fromMenu('Grey value profile'),
  H: button('Tooth history'),
  'Shift+H': button('Images only'),
  Y: button('Full screen'),
  'Control+S': button('Save picture …'),
  'Control+P': button('Print …'),
  'Shift+W': button('Second window'),
  '?': button('Keyboard shortcuts'),
  '+': { twin: null, must: enlarges(1.25) },
  '-': { twin: null, must: enlarges(0.8) },
  Arrows: {
    twin: null,
    prepare: async ({ stage }) => act(async () => void stage.act({ type: 'actual-size' })),
    must: (workspace, before) => {
      const [was, is] = [before.drawn[0]?.camera, workspace.drawn.get(workspace.uid)?.camera];
      // The arrow moves the viewport: up shows what is above.
      expect((is?.centreY ?? Number.NaN) - (was?.centreY ?? Number.NaN)).toBeCloseTo(-40, 6);
      expect(is?.centreX).toBe(was?.centreX);
    },
  },
  'Shift+Arrows': {
    twin: null,
    must: (workspace, before) => {
      const [was, is] = [before.drawn[0]?.display.voi, workspace.drawn.get(workspace.uid)?.display.voi];
      if (was?.kind !== 'window' || is?.kind !== 'window') throw new Error('no window');
      // Brighter: the window centre is lower.
      expect(is.centre).toBeLessThan(was.centre);
      expect(is.width).toBe(was.width);
    },
  },
  PageUp: { twin: 'Previous frame', options: wide, prepare: onSecondFrame },
  PageDown: { twin: 'Next frame', options: wide, prepare: onSecondFrame },
  J: { twin: 'Play', options: wide },
  'Shift+PageUp': { twin: null, must: ({ calls }) => expect(calls.onStepMount.mock.calls).toEqual([[-1]]) },
  'Shift+PageDown': { twin: null, must: ({ calls }) => expect(calls.onStepMount.mock.calls).toEqual([[1]]) },
  'Shift+N': {
    twin: null,
    must: () => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note on the image' })),
  },
  'Shift+O': button('Acceptable'),
  'Shift+U': {
    twin: null,
    must: () => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Position' })),
  },
  Enter: {
    twin: null,
    options: { kind: 'compare' },
    must: ({ calls, uid }) => expect(calls.onOpen.mock.calls).toEqual([[uid]]),
  },
  Space: {
    twin: async (workspace) => {
      await act(async () => workspace.actor.send({ type: 'tool.chosen', tool: 'pan' }));
      await drag(workspace.canvas);
      await act(async () => workspace.actor.send({ type: 'tool.chosen', tool: 'window' }));
    },
    prepare: async ({ actor }) => act(async () => actor.send({ type: 'tool.chosen', tool: 'window' })),
  },
  Delete: { twin: /^Delete the measurement/.source, prepare: measured },
};

export const drag = async (canvas: HTMLElement, lift = true) => {
  await pointer(canvas, 'pointerdown', 300, 300);
  await pointer(canvas, 'pointermove', 330, 310);
  await pointer(canvas, 'pointermove', 360, 330);
  if (lift) await pointer(canvas, 'pointerup', 360, 330);
};

/** Everything a command can change, visible or sent to the server. */
export const outcomeOf = async ({ actor, scenes, drawn, saved, calls, page }: RealWorkspace) => {
  await act(async () => actor.send({ type: 'page.hidden' }));
  const { value, context } = actor.getSnapshot();
  // One more frame, so that the result is drawn.
  await act(async () => new Promise<void>((done) => requestAnimationFrame(() => done())));
  return structuredClone({
    state: value,
    context: { ...context, loaded: null },
    scene: scenes.at(-1),
    drawn: [...drawn.values()].map(({ id, display, camera }) => ({ id, display, camera })),
    saved: saved.at(-1) ?? [],
    calls: Object.values(calls).map(({ mock }) => mock.calls),
    focusMode: document.documentElement.hasAttribute('data-focus-mode'),
    fullscreen: vi.mocked(document.documentElement.requestFullscreen).mock.calls.length,
    windows: vi.mocked(window.open).mock.calls.length,
    menus: document.querySelectorAll('[role=menu]').length,
    dialogs: screen.queryAllByRole('dialog').length,
    texts: page.container.querySelectorAll('[data-testid=overlay-zoom]').length,
    playing: screen.queryByRole('button', { name: 'Pause' }) !== null,
  });
};

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>;
