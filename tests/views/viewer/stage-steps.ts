import { act, fireEvent } from '@testing-library/react';
import type { Mark } from '../../../contract/displays.ts';
import { selectSettingsOf } from '../../../src/machines/viewer/viewer.machine.ts';
import { pointer, pressOf, type RealWorkspace } from './real-workspace.tsx';

/** The image of 400 x 300 fills the stage of 800 x 600: an image pixel is two CSS pixels. */
export type Spot = readonly [number, number];

export const press = (shortcut: string, target: Element = document.body) =>
  act(async () => void fireEvent.keyDown(target, pressOf(shortcut)));
/** Presses a key and holds it down for some repeats. */
export const hold = async (shortcut: string, repeats: number) => {
  await press(shortcut);
  for (let repeat = 0; repeat < repeats; repeat++)
    await act(async () => void fireEvent.keyDown(document.body, { ...pressOf(shortcut), repeat: true }));
};
export const click = async ({ canvas }: RealWorkspace, [x, y]: Spot) => {
  await pointer(canvas, 'pointermove', x, y);
  await pointer(canvas, 'pointerdown', x, y);
  await pointer(canvas, 'pointerup', x, y);
};
export const drag = async ({ canvas }: RealWorkspace, ...[first, ...others]: readonly [Spot, ...Spot[]]) => {
  await pointer(canvas, 'pointerdown', ...first);
  for (const spot of others) await pointer(canvas, 'pointermove', ...spot);
  await pointer(canvas, 'pointerup', ...(others.at(-1) ?? first));
};
export const doubleClick = async (workspace: RealWorkspace, spot: Spot) => {
  await click(workspace, spot);
  await click(workspace, spot);
  await pointer(workspace.canvas, 'dblclick', ...spot);
};
export const marksOf = ({ actor, uid }: RealWorkspace): readonly Mark[] =>
  selectSettingsOf(uid)(actor.getSnapshot()).marks;
export const only = (workspace: RealWorkspace): Mark => {
  const [mark, ...others] = marksOf(workspace);
  if (!mark || others.length > 0) throw new Error(`${marksOf(workspace).length} marks`);
  return mark;
};
export const drawnTexts = () => [...document.querySelectorAll('svg [data-mark] text')].map((one) => one.textContent);
