/** Creates an element with attributes (`false` and null are omitted) and children; text is never parsed as HTML. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | null>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null) node.setAttribute(name, value === true ? '' : value);
  node.append(...children);
  return node;
};

export const button = (text: string, onClick: () => void): HTMLButtonElement => {
  const node = element('button', { type: 'button' }, text);
  node.addEventListener('click', onClick);
  return node;
};

/**
 * Selects one `[data-key]` of a list by click, arrow keys, Home and End. `choose` receives the key and renders again; focus follows the
 * selection.
 */
export const choosable = (list: HTMLElement, choose: (key: string) => void): void => {
  const items = () => [...list.querySelectorAll<HTMLElement>('[data-key]')];
  list.addEventListener('click', ({ target }) => {
    const key = target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
    if (key !== undefined) choose(key);
  });
  list.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.findIndex((item) => item.getAttribute('aria-selected') === 'true');
    const next = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: all.length - 1 }[event.key];
    const key = next === undefined ? undefined : all[Math.min(next, all.length - 1)]?.dataset.key;
    if (key === undefined) return;
    event.preventDefault();
    choose(key);
    items()
      .find((item) => item.dataset.key === key)
      ?.scrollIntoView({ block: 'nearest' });
  });
};
