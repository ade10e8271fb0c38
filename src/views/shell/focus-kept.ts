import { layers, leadLostFocus } from './lost-focus.ts';

/** Whoever knows a better place for the focus has had so long, in milliseconds. */
const patience = 60;

/**
 * A button that goes by its own press (a selection is cleared, a search begun anew, a message closed) would take the focus of the keyboard with it: it
 * goes to the beginning of the page's content. Where the press leads to another page, that page decides. Returns the function that stops it.
 */
export const withFocusKept = (page: Document): (() => void) => {
  let pressed: HTMLElement | null = null;
  let path = '';
  let settling: ReturnType<typeof setTimeout> | null = null;

  const settle = () => {
    settling = null;
    if (!pressed || pressed.isConnected) return;
    if (window.location.pathname === path) leadLostFocus(page);
    forget();
  };
  const watch = new MutationObserver(() => {
    settling ??= setTimeout(settle, patience);
  });
  const forget = () => {
    pressed = null;
    watch.disconnect();
  };
  const onKey = ({ key, target }: KeyboardEvent) => {
    forget();
    if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLButtonElement) || target.closest(layers)) return;
    pressed = target;
    path = window.location.pathname;
    watch.observe(page.body, { childList: true, subtree: true });
  };

  page.addEventListener('keydown', onKey, true);
  page.addEventListener('pointerdown', forget, true);
  page.addEventListener('focusin', forget);
  return () => {
    page.removeEventListener('keydown', onKey, true);
    page.removeEventListener('pointerdown', forget, true);
    page.removeEventListener('focusin', forget);
    if (settling !== null) clearTimeout(settling);
    forget();
  };
};
