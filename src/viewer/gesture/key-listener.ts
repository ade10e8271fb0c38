import { commandOf, type KeyCommand, repeats } from './keys.ts';

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select|button)$/i.test(target.tagName));

/**
 * Handles keys of the focused canvas; the default action is prevented only when `act` returns true. The space bar is tracked on the
 * whole page, because the focus may be in an overlay of the canvas.
 */
export const attachKeys = (canvas: HTMLCanvasElement, act: (command: KeyCommand) => boolean, signal: AbortSignal) => {
  let space = false;
  canvas.addEventListener('keydown', (event) => {
    if (event.key === ' ') event.preventDefault();
    const command = commandOf(event);
    // The repeat of a handled key must not trigger the browser's default action either.
    if (command && event.repeat && !repeats(command)) return event.preventDefault();
    if (command && act(command)) event.preventDefault();
  });
  const set = (held: boolean) => (event: KeyboardEvent) => {
    if (event.key === ' ' && !isWritten(event.target)) space = held;
  };
  addEventListener('keydown', set(true), { signal });
  addEventListener('keyup', set(false), { signal });
  addEventListener(
    'blur',
    () => {
      space = false;
    },
    { signal },
  );
  return { spaceHeld: () => space };
};
