import { useEffect, useEffectEvent } from 'react';
import { commandOf, type KeyPress, repeats } from '../../../viewer/index.ts';
import type { ViewerCommand } from './viewer-commands.ts';

const own: Readonly<Record<string, ViewerCommand>> = {
  o: { type: 'overlays' },
  v: { type: 'marks-hidden' },
  d: { type: 'marks-menu' },
  h: { type: 'tooth-history' },
  y: { type: 'fullscreen' },
  j: { type: 'cine' },
  c: { type: 'compare' },
  b: { type: 'prior' },
  s: { type: 'prior-swap' },
  '?': { type: 'shortcuts' },
  ',': { type: 'step', by: -1 },
  '.': { type: 'step', by: 1 },
  enter: { type: 'open' },
};

const ownWithControl: Readonly<Record<string, ViewerCommand>> = {
  y: { type: 'redo' },
  p: { type: 'print' },
  s: { type: 'save-picture' },
};

const ownWithShift: Readonly<Record<string, ViewerCommand>> = {
  b: { type: 'prior-later' },
  s: { type: 'blink' },
  c: { type: 'prior-mounts' },
  h: { type: 'focus-mode' },
  n: { type: 'note' },
  w: { type: 'second-window' },
  v: { type: 'planes-hidden' },
  o: { type: 'grade-acceptable' },
  u: { type: 'grade-not-acceptable' },
  pageup: { type: 'mount', by: -1 },
  pagedown: { type: 'mount', by: 1 },
  // "?" needs Shift in most layouts.
  '?': { type: 'shortcuts' },
};

/** Returns the command of a key: the workspace's own, else the stage's. */
export const viewerCommandOf = (press: KeyPress): ViewerCommand | null => {
  const key = press.key.toLowerCase();
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === 'z') return { type: press.shiftKey ? 'redo' : 'undo' };
    if (press.shiftKey) return null;
    return ownWithControl[key] ?? null;
  }
  const found = press.shiftKey ? ownWithShift[key] : own[key];
  if (found) return found;
  const command = commandOf(press);
  if (!command) return null;
  if (command.type === 'tool') return { ...command, byKey: true };
  return command.type === 'reset' ? { type: 'reset' } : { type: 'stage', command };
};

/** Returns whether a held key repeats the command; toggles would flicker. */
const isRepeated = (command: ViewerCommand): boolean =>
  command.type === 'stage' ? repeats(command.command) : ['step', 'undo', 'redo'].includes(command.type);

/** Keys that activate a focused button or link. */
const pressing = /^(enter| )$/i;
/** Keys that move within a focused slider, list or video. */
const walking = /^(arrow(left|right|up|down)|page(up|down)|home|end)$/i;
const walked = 'video, input, [role=slider], [role=listbox], [role=radiogroup], [role=tablist]';

const textFields =
  'textarea, select, [contenteditable], input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button])';

/**
 * Returns whether a key belongs to the focused element: all keys in text and dialogs, arrow keys in sliders and lists, Enter and
 * Space on buttons. Slots of a mount handle theirs earlier and leave the rest to the active image.
 */
export const isTakenBy = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${textFields}, [role=dialog], [role=menu]`)) return true;
  // There it closes the history.
  if (key === 'Escape' && target.closest('[data-tooth-history]')) return true;
  if (target.closest('canvas, [data-mount], [data-tray]') || target === target.ownerDocument.body) return false;
  return walking.test(key) ? target.closest(walked) !== null : pressing.test(key);
};

/** Calls `act` for shortcuts pressed anywhere on the page, and consumes those it handled. */
export const useViewerKeys = (act: (command: ViewerCommand) => boolean): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTakenBy(event.target, event.key)) return;
    // A modal dialog has the keyboard, wherever the focus is.
    if (document.querySelector('[role=dialog][aria-modal=true]')) return;
    const command = viewerCommandOf(event);
    if (command && ((event.repeat && !isRepeated(command)) || act(command))) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    // An open tooltip stops Escape from bubbling, so it is handled in the capture phase.
    const listenEarly = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !document.querySelector('[role=tooltip]')) return;
      if (event.target instanceof Element && event.target.closest('[aria-expanded=true]')) return;
      listen(event);
    };
    document.addEventListener('keydown', listen);
    window.addEventListener('keydown', listenEarly, { capture: true });
    return () => {
      document.removeEventListener('keydown', listen);
      window.removeEventListener('keydown', listenEarly, { capture: true });
    };
  }, []);
};
