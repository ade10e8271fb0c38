/** What lies over a page, takes the focus and leads it back. */
export const layers = '[role="dialog"], [role="menu"]';

/** Where nobody has the focus, it goes to `place`, or, without one that is still there, to the beginning of the page's content. */
export const leadLostFocus = (page: Document, place: HTMLElement | null = null): void => {
  if (page.activeElement !== null && page.activeElement !== page.body) return;
  const goal = place?.isConnected ? place : page.getElementById('content');
  goal?.focus({ preventScroll: true });
};
