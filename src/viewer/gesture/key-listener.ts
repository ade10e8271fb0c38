import { commandOf, type KeyCommand } from './keys.ts';

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select|button)$/i.test(target.tagName));

/**
 * Keys of the focused canvas; `act` says whether there was anything to do, and only then the key is used up. The space
 * bar is watched on the whole page, since the focus may be in what lies over the canvas.
 */
export const attachKeys = (canvas: HTMLCanvasElement, act: (command: KeyCommand) => boolean, signal: AbortSignal) => {
  let space = false;
  canvas.addEventListener('keydown', (event) => {
    if (event.key === ' ') event.preventDefault();
    const command = commandOf(event);
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
