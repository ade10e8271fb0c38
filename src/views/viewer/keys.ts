import type { ViewerCommand, ViewerTool } from './viewer-toolbar.tsx';

export type KeyWish =
  | { readonly type: 'tool'; readonly tool: ViewerTool }
  | { readonly type: 'command'; readonly command: ViewerCommand }
  | { readonly type: 'overlays' }
  | { readonly type: 'step'; readonly by: 1 | -1 }
  | { readonly type: 'back' };

const wishes: Readonly<Record<string, KeyWish>> = {
  w: { type: 'tool', tool: 'window' },
  z: { type: 'tool', tool: 'zoom' },
  p: { type: 'tool', tool: 'pan' },
  '1': { type: 'command', command: 'actual' },
  '0': { type: 'command', command: 'fit' },
  f: { type: 'command', command: 'fit' },
  r: { type: 'command', command: 'rotate-right' },
  R: { type: 'command', command: 'rotate-left' },
  h: { type: 'command', command: 'flip' },
  i: { type: 'command', command: 'invert' },
  Backspace: { type: 'command', command: 'reset' },
  o: { type: 'overlays' },
  '.': { type: 'step', by: 1 },
  ',': { type: 'step', by: -1 },
  Escape: { type: 'back' },
};

const writesText = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

/** What a key means to the viewer wherever the focus is, except in text and dialogs. The stage takes its own keys first. */
export const wishOf = (event: KeyboardEvent): KeyWish | null =>
  event.defaultPrevented || event.altKey || writesText(event.target)
    ? null
    : event.ctrlKey || event.metaKey
      ? event.key === 'z'
        ? { type: 'command', command: 'undo' }
        : null
      : (wishes[event.key] ?? null);
