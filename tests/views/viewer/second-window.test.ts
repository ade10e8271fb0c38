import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sceneOf } from '../../../src/viewer/scene/scene.ts';
import { sceneForSize } from '../../../src/views/workspace/second-window/scene-for-size.ts';
import { createSecondWindow } from '../../../src/views/workspace/second-window/second-window.ts';

/** A window of the same origin, as the browser opens it: an iframe. */
const frameWindow = (): Window & typeof globalThis => {
  const view = document.body.appendChild(document.createElement('iframe')).contentWindow;
  if (!view) throw new Error('jsdom has no window in its iframe');
  Object.assign(view, { focus: vi.fn(), close: vi.fn() });
  return view as Window & typeof globalThis;
};

let opened: (Window & typeof globalThis) | null;
beforeEach(() => {
  opened = frameWindow();
  vi.spyOn(window, 'open').mockImplementation(() => opened);
});
afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe('the second window', () => {
  it('is opened once, black, without text of the patient, and shown to one patient at a time', () => {
    const second = createSecondWindow();
    expect(second.now()).toBeNull();
    expect(second.present('one', 'Second window')).toBe(true);
    const first = second.now();
    expect([first?.patientId, opened?.document.title, opened?.document.body.innerHTML]).toEqual([
      'one',
      'Second window',
      first?.host.outerHTML,
    ]);
    expect(second.present('other', 'Second window')).toBe(true);
    expect(second.now()).toEqual({ host: first?.host, patientId: 'other' });
    expect(window.open).toHaveBeenCalledTimes(1);
  });

  it('says so when the browser blocks it', () => {
    opened = null;
    const second = createSecondWindow();
    expect(second.present('one', '')).toBe(false);
    expect(second.now()).toBeNull();
  });

  it('is closed when the first one leaves the page, and known as closed when the user closes it', () => {
    const second = createSecondWindow();
    const changed = vi.fn();
    second.subscribe(changed);
    second.present('one', '');
    window.dispatchEvent(new Event('pagehide'));
    expect(opened?.close).toHaveBeenCalledOnce();
    expect(second.now()).toBeNull();
    opened = frameWindow();
    second.present('one', '');
    opened.dispatchEvent(new Event('pagehide'));
    expect(second.now()).toBeNull();
    expect(changed).toHaveBeenCalledTimes(4);
  });

  it('passes keys on to the page', () => {
    createSecondWindow().present('one', '');
    const keys: string[] = [];
    document.body.addEventListener('keydown', ({ key, shiftKey }) => keys.push(`${shiftKey} ${key}`), { once: true });
    opened?.dispatchEvent(new opened.KeyboardEvent('keydown', { key: 'i', shiftKey: true }));
    expect(keys).toEqual(['true i']);
  });
});

it('a scene for another size shows the same part of an image, and all of one that fits its stage', () => {
  const view = { centreX: 10, centreY: 20, scale: 2 };
  const scene = { ...sceneOf('a', { view }), tool: 'length' as const };
  const fitted = sceneOf('a');
  const [from, to] = [
    { width: 800, height: 600 },
    { width: 1600, height: 900 },
  ];
  expect(sceneForSize(scene, from, to)).toMatchObject({ tool: 'window', images: [{ view: { ...view, scale: 3 } }] });
  for (const own of [fitted, sceneOf('a', { view: 'area' })])
    expect(sceneForSize(own, from, to).images).toEqual(own.images);
});
