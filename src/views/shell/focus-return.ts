import { layers, leadLostFocus } from './lost-focus.ts';

interface Layer {
  readonly element: Element;
  /** What had the focus before; of a dialog that a menu led to, the button of the menu. */
  readonly from: HTMLElement | null;
}

/**
 * Leads the focus back when a dialog or menu goes that had it: to the control from where it came, or, where that is gone too, to the beginning of the
 * page's content. The library does so only for what stays mounted, and not for what was opened from a menu. Returns the function that stops it.
 */
export const withFocusReturned = (page: Document): (() => void) => {
  let trail: readonly Layer[] = [];
  let latest: HTMLElement | null = null;

  const isGone = ({ element }: Layer) => !element.isConnected;
  const onRemoved = () => {
    const first = trail.find(isGone);
    if (!first) return;
    trail = trail.slice(0, trail.indexOf(first));
    leadLostFocus(page, first.from);
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
