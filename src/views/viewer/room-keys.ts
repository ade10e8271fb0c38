import { commandOf, type KeyPress } from '../../viewer/index.ts';
import type { RoomCommand } from './room-commands.ts';

const own: Readonly<Record<string, RoomCommand>> = {
  o: { type: 'overlays' },
  h: { type: 'focus-mode' },
  y: { type: 'fullscreen' },
  j: { type: 'cine' },
  c: { type: 'compare' },
  '?': { type: 'shortcuts' },
  ',': { type: 'step', by: -1 },
  '.': { type: 'step', by: 1 },
  enter: { type: 'open' },
};

/** What a key means in the room: what belongs to the room itself, and else what the stage's own table says. */
export const roomCommandOf = (press: KeyPress): RoomCommand | null => {
  const key = press.key.toLowerCase();
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === 'z') return { type: press.shiftKey ? 'redo' : 'undo' };
    return key === 'y' && !press.shiftKey ? { type: 'redo' } : null;
  }
  // "?" lies on Shift and another key in most layouts.
  const found = press.shiftKey && key !== '?' ? null : own[key];
  if (found) return found;
  const command = commandOf(press);
  if (!command) return null;
  return command.type === 'tool' ? { type: 'tool', tool: command.tool } : { type: 'stage', command };
};

/** What a focused button or link does with a key. */
const pressing = /^(enter| )$/i;
/** What a focused slider or list does with a key. */
const walking = /^(arrow(left|right|up|down)|page(up|down)|home|end)$/i;
const walked = 'input, [role=slider], [role=listbox], [role=radiogroup], [role=tablist]';

const textFields =
  'textarea, select, [contenteditable], input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button])';

/**
 * Must the room leave a key to where the focus is? Text and dialogs keep every key; sliders and lists those with which one walks, buttons those
 * that press. The slots of a mount take theirs before the room hears of them, and leave the rest to the image in hand.
 */
export const isTakenBy = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${textFields}, [role=dialog], [role=menu]`)) return true;
  if (target.closest('canvas, [data-mount], [data-tray]') || target === target.ownerDocument.body) return false;
  return walking.test(key) ? target.closest(walked) !== null : pressing.test(key);
};
