import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTranslation, loadAppTexts } from '../../../src/views/language/translation.ts';
import { viewerShortcuts } from '../../../src/views/workspace/viewer/shortcuts.ts';
import { openRealWorkspace, pointer, pressOf, type RealWorkspace, type WorkspaceOptions } from './real-workspace.tsx';
import { stages } from './viewer-with-real-stage.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

// Each key opens many workspaces.
vi.setConfig({ testTimeout: 60_000 });

const translation = await createTranslation('en');
await loadAppTexts(translation);
/** Every shortcut of the dialog, from the source that it is rendered from. */
const listed = viewerShortcuts(translation.getFixedT('en', 'viewer')).flatMap(({ shortcuts }) =>
  shortcuts.flatMap(({ keys, text }) => keys.map((key) => ({ key, text }))),
);

type Step = (workspace: RealWorkspace) => void | Promise<void>;

interface Twin {
  /** The equivalent without a key: a button by name, or a gesture. Null: there is none, and `must` gives the result. */
  readonly twin: string | Step | null;
  readonly must?: (workspace: RealWorkspace, before: Outcome) => void;
  readonly options?: WorkspaceOptions;
  readonly prepare?: Step;
}

const press = (target: Element, shortcut: string, repeat = false) =>
  act(async () => {
    fireEvent.keyDown(target, { ...pressOf(shortcut), repeat });
  });

const click = (name: RegExp) =>
  act(async () => {
    // By attributes: a query by role computes styles of the whole page, which is too slow here.
    const found = [...document.querySelectorAll<HTMLElement>('button')].find((one) =>
      name.test(one.ariaLabel ?? one.getAttribute('aria-label') ?? one.textContent ?? ''),
    );
    if (!found) throw new Error(`no button ${name}`);
    fireEvent.click(found);
  });

const settings = ({ actor, uid }: RealWorkspace) => {
  const { workspace } = actor.getSnapshot().context;
  const [entry] = Object.values(workspace.imageStates).filter(({ imageUid }) => imageUid === uid);
  if (!entry) throw new Error('the machine does not know the image');
  return entry.settings;
};

/** Two undo steps and one redo step are possible, and there is something to reset. */
const changed: Step = async (workspace) => {
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

const twins: Readonly<Record<string, Twin>> = {
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
  O: button('Text on the image'),
  H: button('Images only'),
  Y: button('Full screen'),
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

const drag = async (canvas: HTMLElement, lift = true) => {
  await pointer(canvas, 'pointerdown', 300, 300);
  await pointer(canvas, 'pointermove', 330, 310);
  await pointer(canvas, 'pointermove', 360, 330);
  if (lift) await pointer(canvas, 'pointerup', 360, 330);
};

/** Everything a command can change, visible or sent to the server. */
const outcomeOf = async ({ actor, scenes, drawn, saved, calls, page }: RealWorkspace) => {
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
    dialogs: screen.queryAllByRole('dialog').length,
    texts: page.container.querySelectorAll('[data-testid=overlay-zoom]').length,
    playing: screen.queryByRole('button', { name: 'Pause' }) !== null,
  });
};
type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

/** Ids of measurements are random. */
const withoutIds = (outcome: Outcome) =>
  JSON.parse(
    JSON.stringify(outcome).replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-(?!0{8})[0-9a-f]{12}/g,
      'id',
    ),
  );

/** Opens a workspace in the state of `prepare`, runs the steps, and returns the result. */
const played = async ({ options, prepare = changed }: Twin, ...steps: readonly Step[]) => {
  cleanup();
  stages.length = 0;
  document.documentElement.removeAttribute('data-focus-mode');
  vi.mocked(document.documentElement.requestFullscreen).mockClear();
  const workspace = await openRealWorkspace(options);
  if (!options?.loading) await prepare(workspace);
  for (const step of steps) await step(workspace);
  return withoutIds(await outcomeOf(workspace));
};

const byKey =
  (key: string, target: (workspace: RealWorkspace) => Element = () => document.body): Step =>
  async (workspace) => {
    if (key !== 'Space') return press(target(workspace), key);
    await press(target(workspace), key);
    await drag(workspace.canvas);
    await act(async () => void fireEvent.keyUp(target(workspace), { key: ' ' }));
  };
const byTwin =
  ({ twin }: Twin): Step =>
  async (workspace) => {
    if (typeof twin === 'string')
      await click(new RegExp(twin.startsWith('^') ? twin : `^${twin.replaceAll(/[.?]/g, '\\$&')}$`));
    else await twin?.(workspace);
  };

beforeEach(() => {
  localStorage.clear();
  document.documentElement.requestFullscreen = vi.fn(() => Promise.resolve());
});

it('has an equivalent for every shortcut of the dialog, and for no other', () => {
  expect(Object.keys(twins).toSorted()).toEqual(listed.map(({ key }) => key).toSorted());
});

describe.each(listed)('$key ($text)', ({ key }) => {
  const twin = twins[key] ?? { twin: null };
  let pressedOnce: ReturnType<typeof played> | null = null;
  const pressed = () => {
    pressedOnce ??= played(twin, byKey(key));
    return pressedOnce;
  };

  it('does what its button does, or what is required', async () => {
    if (twin.twin === null) {
      const workspace = await openRealWorkspace(twin.options);
      await twin.prepare?.(workspace);
      const before = await outcomeOf(workspace);
      await byKey(key)(workspace);
      await outcomeOf(workspace);
      twin.must?.(workspace, before);
    } else {
      const [here, there] = [await pressed(), await played(twin, byTwin(twin))];
      expect(here).toEqual(there);
      if (!['Q', 'W'].includes(key)) expect(here, 'it does something').not.toEqual(await played(twin));
    }
  });

  it('does the same when the image has the focus', async () => {
    const onCanvas = await played(
      twin,
      byKey(key, ({ canvas }) => canvas),
    );
    expect(onCanvas).toEqual(await pressed());
  });

  it('does nothing in a text field', async () => {
    const typed = byKey(key, () => screen.getByLabelText('note'));
    if (key !== 'Space') expect(await played(twin, typed)).toEqual(await played(twin));
  });

  it('is not repeated while held down, except stepping keys', async () => {
    const stepping = [
      '+',
      '-',
      'Arrows',
      'Shift+Arrows',
      'PageUp',
      'PageDown',
      ',',
      '.',
      'Control+Z',
      'Control+Shift+Z',
    ];
    if (key === 'Space') return;
    const held: Step = async () => press(document.body, key, true);
    if (!stepping.includes(key)) expect(await played(twin, byKey(key), held, held)).toEqual(await pressed());
  });

  it('does the same during a gesture as after it', async () => {
    if (['Space', 'Delete'].includes(key)) return;
    const window: Step = async ({ actor }) => act(async () => actor.send({ type: 'tool.chosen', tool: 'window' }));
    const under: Step = async ({ canvas }) => drag(canvas, false);
    const lift: Step = async ({ canvas }) => pointer(canvas, 'pointerup', 360, 330);
    const during = await played(twin, window, under, byKey(key), lift);
    const after = await played(twin, window, under, lift, byKey(key));
    expect(during).toEqual(after);
  });

  it('does the same while the wheel settles as after it', async () => {
    // Cine continues while the wheel settles.
    if (['Space', 'Delete', 'J'].includes(key)) return;
    const wheel: Step = async ({ canvas }) =>
      act(async () => void fireEvent.wheel(canvas, { deltaY: -120, clientX: 400, clientY: 300 }));
    const rest: Step = async ({ actor }) =>
      waitFor(() => expect(actor.getSnapshot().matches({ image: { ready: 'moving' } })).toBe(false));
    const during = await played(twin, wheel, byKey(key), rest);
    const after = await played(twin, wheel, rest, byKey(key));
    expect(during).toEqual(after);
  });

  it('does the same while a change is being saved', async () => {
    const save: Step = async ({ actor }) => act(async () => actor.send({ type: 'page.hidden' }));
    const [during, atRest] = [await played(twin, save, byKey(key)), await pressed()];
    const { state: _, saved: __, ...same } = during;
    const { state: ___, saved: ____, ...expected } = atRest;
    expect(same).toEqual(expected);
  });

  it('does nothing to a loading image, like its button', async () => {
    if (typeof twin.twin !== 'string' || key === 'Delete') return;
    const loading = { ...twin, options: { ...twin.options, loading: true } };
    expect(await played(loading, byKey(key))).toEqual(await played(loading, byTwin(twin)));
  });
});
