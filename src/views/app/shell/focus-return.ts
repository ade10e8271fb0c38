/** Overlays that take the focus and return it. */
const layers = '[role="dialog"], [role="menu"]';

/** If nothing has the focus, moves it to `place` or, if that is gone, to the page content. */
const restoreLostFocus = (page: Document, place: HTMLElement | null = null): void => {
  if (page.activeElement !== null && page.activeElement !== page.body) return;
  const goal = place?.isConnected ? place : page.getElementById('content');
  goal?.focus({ preventScroll: true });
};

/** Milliseconds left for other code to move the focus first. */
const settleMs = 60;

/**
 * Moves keyboard focus to the page content when a pressed button removes itself (clear selection, close message).
 * If the press navigates, the new page decides. Returns a function that stops it.
 */
export const focusContentAfterRemoval = (page: Document): (() => void) => {
  let pressed: HTMLElement | null = null;
  let path = '';
  let settling: ReturnType<typeof setTimeout> | null = null;

  const settle = () => {
    settling = null;
    if (!pressed || pressed.isConnected) return;
    if (window.location.pathname === path) restoreLostFocus(page);
    forget();
  };
  const watch = new MutationObserver(() => {
    settling ??= setTimeout(settle, settleMs);
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

interface Layer {
  readonly element: Element;
  /** The element focused before; for a dialog opened from a menu, the menu's button. */
  readonly from: HTMLElement | null;
}

/**
 * Returns focus when a dialog or menu closes: to the control that opened it or, if that is gone, to the page content.
 * Mantine does so only for mounted overlays, not for those opened from a menu. Returns a function that stops it.
 */
export const returnFocusOnClose = (page: Document): (() => void) => {
  let trail: readonly Layer[] = [];
  let latest: HTMLElement | null = null;

  const isGone = ({ element }: Layer) => !element.isConnected;
  const onRemoved = () => {
    const first = trail.find(isGone);
    if (!first) return;
    trail = trail.slice(0, trail.indexOf(first));
    restoreLostFocus(page, first.from);
  };
  const watch = new MutationObserver(onRemoved);

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const element = target.closest(layers);
    const at = trail.findIndex((layer) => layer.element === element);
    if (element === null) trail = [];
    else if (at >= 0) trail = trail.slice(0, at + 1);
    else {
      const menu = trail.find((layer) => layer.element.matches('[role="menu"]') || isGone(layer));
      const from = menu ? menu.from : latest;
      trail = [...(menu ? trail.slice(0, trail.indexOf(menu)) : trail), { element, from }];
    }
    latest = target;
    watch.disconnect();
    if (trail.length > 0) watch.observe(page.body, { childList: true, subtree: true });
  };

  page.addEventListener('focusin', onFocus);
  return () => {
    page.removeEventListener('focusin', onFocus);
    watch.disconnect();
  };
};
