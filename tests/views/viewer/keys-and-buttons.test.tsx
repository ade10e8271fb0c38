import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTranslation, loadAppTexts } from '../../../src/views/language/translation.ts';
import { viewerShortcuts } from '../../../src/views/workspace/viewer/shortcuts.ts';
import { changed, drag, type Outcome, outcomeOf, type Step, type Twin, twins } from './key-twins.ts';
import { openRealWorkspace, pointer, pressOf, type RealWorkspace } from './real-workspace.tsx';
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

/** Ids of measurements are random. */
const withoutIds = (outcome: Outcome) =>
  JSON.parse(
    JSON.stringify(outcome).replaceAll(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-(?!0{8})[0-9a-f]{12}/g,
      'id',
    ),
  );

/** Opens a workspace in the state of `prepare`, runs the steps, and returns the result. */
const runSteps = async ({ options, prepare = changed }: Twin, ...steps: readonly Step[]) => {
  cleanup();
  stages.length = 0;
  document.documentElement.removeAttribute('data-focus-mode');
  vi.mocked(document.documentElement.requestFullscreen).mockClear();
  vi.mocked(window.open).mockClear();
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

// Dialogs whose code is loaded at first use appear at once afterwards.
beforeAll(async () => {
  for (const key of ['Control+P', 'Control+S', 'Shift+S']) {
    await openRealWorkspace(twins[key]?.options);
    await press(document.body, key);
    await screen.findByRole('dialog', {}, { timeout: 30_000 });
    cleanup();
  }
}, 60_000);

beforeEach(() => {
  localStorage.clear();
  document.documentElement.requestFullscreen = vi.fn(() => Promise.resolve());
  window.open = vi.fn(() => null);
});

it('has an equivalent for every shortcut of the dialog, and for no other', () => {
  expect(Object.keys(twins).toSorted()).toEqual(listed.map(({ key }) => key).toSorted());
});

describe.each(listed)('$key ($text)', ({ key }) => {
  const twin = twins[key] ?? { twin: null };
  let pressedOnce: ReturnType<typeof runSteps> | null = null;
  const pressed = () => {
    pressedOnce ??= runSteps(twin, byKey(key));
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
      const [here, there] = [await pressed(), await runSteps(twin, byTwin(twin))];
      expect(here).toEqual(there);
      if (!['Q', 'W'].includes(key)) expect(here, 'it does something').not.toEqual(await runSteps(twin));
    }
  });

  it('does the same when the image has the focus', async () => {
    const onCanvas = await runSteps(
      twin,
      byKey(key, ({ canvas }) => canvas),
    );
    expect(onCanvas).toEqual(await pressed());
  });

  it('does nothing in a text field', async () => {
    const typed = byKey(key, () => screen.getByLabelText('note'));
    if (key !== 'Space') expect(await runSteps(twin, typed)).toEqual(await runSteps(twin));
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
    if (!stepping.includes(key)) expect(await runSteps(twin, byKey(key), held, held)).toEqual(await pressed());
  });

  it('does the same during a gesture as after it', async () => {
    if (['Space', 'Delete'].includes(key)) return;
    const window: Step = async ({ actor }) => act(async () => actor.send({ type: 'tool.chosen', tool: 'window' }));
    const under: Step = async ({ canvas }) => drag(canvas, false);
    const lift: Step = async ({ canvas }) => pointer(canvas, 'pointerup', 360, 330);
    const during = await runSteps(twin, window, under, byKey(key), lift);
    const after = await runSteps(twin, window, under, lift, byKey(key));
    expect(during).toEqual(after);
  });

  it('does the same while the wheel settles as after it', async () => {
    // Cine continues while the wheel settles.
    if (['Space', 'Delete', 'J'].includes(key)) return;
    const wheel: Step = async ({ canvas }) =>
      act(async () => void fireEvent.wheel(canvas, { deltaY: -120, clientX: 400, clientY: 300 }));
    const rest: Step = async ({ actor }) =>
      waitFor(() => expect(actor.getSnapshot().matches({ image: { ready: 'moving' } })).toBe(false));
    const during = await runSteps(twin, wheel, byKey(key), rest);
    const after = await runSteps(twin, wheel, rest, byKey(key));
    expect(during).toEqual(after);
  });

  it('does the same while a change is being saved', async () => {
    const save: Step = async ({ actor }) => act(async () => actor.send({ type: 'page.hidden' }));
    const [during, atRest] = [await runSteps(twin, save, byKey(key)), await pressed()];
    const { state: _, saved: __, ...same } = during;
    const { state: ___, saved: ____, ...expected } = atRest;
    expect(same).toEqual(expected);
  });

  it('does nothing to a loading image, like its button', async () => {
    if (typeof twin.twin !== 'string' || key === 'Delete') return;
    const loading = { ...twin, options: { ...twin.options, loading: true } };
    expect(await runSteps(loading, byKey(key))).toEqual(await runSteps(loading, byTwin(twin)));
  });
});
