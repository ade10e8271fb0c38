const isTextField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox], [type=radio], [type=file], [type=range]), textarea, [contenteditable]') !==
    null;

/** The browser's context menu stays away (the right button belongs to the image), except where text is written. */
export const withoutContextMenu = (root: Document): (() => void) => {
  const stop = (event: MouseEvent) => {
    if (!isTextField(event.target)) event.preventDefault();
  };
  root.addEventListener('contextmenu', stop);
  return () => root.removeEventListener('contextmenu', stop);
};
