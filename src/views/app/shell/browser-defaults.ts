/** Returns, once, whether files were dropped before the program had loaded: index.html takes note of them. */
export const takeEarlyDrop = (page: Document): boolean => {
  const { dataset } = page.documentElement;
  const hadDrop = dataset.droppedEarly !== undefined;
  delete dataset.droppedEarly;
  return hadDrop;
};

/** Prevents the browser from opening a file dropped outside a drop target, in place of the script of index.html. */
export const preventStrayDrops = (page: Window): (() => void) => {
  const ignoreDrop = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  page.ondragover = null;
  page.ondrop = null;
  page.addEventListener('dragover', ignoreDrop);
  page.addEventListener('drop', ignoreDrop);
  return () => {
    page.removeEventListener('dragover', ignoreDrop);
    page.removeEventListener('drop', ignoreDrop);
  };
};

const isTextField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox], [type=radio], [type=file], [type=range]), textarea, [contenteditable]') !==
    null;

/** Suppresses the browser's context menu outside text fields, because the right button adjusts the image. */
export const suppressContextMenu = (root: Document): (() => void) => {
  const stop = (event: MouseEvent) => {
    if (!isTextField(event.target)) event.preventDefault();
  };
  root.addEventListener('contextmenu', stop);
  return () => root.removeEventListener('contextmenu', stop);
};
