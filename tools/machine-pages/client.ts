/** Script of the machine pages. A classic script without imports, because modules do not load from disk; written as `page.js`. */
interface Found {
  /** Name and meaning. */
  readonly text: string;
  readonly machine: string;
  readonly href: string;
}

{
  const maxShown = 50;

  const byId = (id: string) => document.getElementById(id);

  const wordsOf = (text: string): readonly string[] => text.toLocaleLowerCase().split(/\s+/).filter(Boolean);

  const listResults = (input: HTMLInputElement, results: HTMLElement, count: HTMLElement): void => {
    const all: readonly Found[] = (globalThis as { machineIndex?: readonly Found[] }).machineIndex ?? [];
    const words = wordsOf(input.value);
    const found =
      words.length === 0
        ? []
        : all.filter(({ text, machine }) => {
            const written = `${text} ${machine}`.toLocaleLowerCase();
            return words.every((word) => written.includes(word));
          });
    results.replaceChildren(
      ...found.slice(0, maxShown).map(({ text, machine, href }) => {
        const link = document.createElement('a');
        link.href = href;
        link.textContent = `${text} (${machine})`;
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    results.hidden = found.length === 0;
    count.textContent = words.length === 0 ? '' : `${found.length} ${found.length === 1 ? 'hit' : 'hits'}`;
  };

  const focusNext = (results: HTMLElement, input: HTMLElement, by: 1 | -1): void => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = at + by;
    if (next < 0) input.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  };

  const startSearch = (input: HTMLInputElement, results: HTMLElement, count: HTMLElement): void => {
    const list = () => listResults(input, results, count);
    const close = () => {
      input.value = '';
      list();
    };
    input.addEventListener('input', list);
    results.addEventListener('click', close);
    input.closest('search')?.addEventListener('keydown', (event) => {
      const { key } = event as KeyboardEvent;
      if (key === 'Escape') {
        close();
        input.focus();
      } else if (key === 'ArrowDown' || key === 'ArrowUp') {
        event.preventDefault();
        focusNext(results, input, key === 'ArrowDown' ? 1 : -1);
      }
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      input.focus();
    });
  };

  /** Opens and focuses the target of the address, also inside a closed path. */
  const showTarget = (): void => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target instanceof HTMLDetailsElement) target.open = true;
    target.scrollIntoView();
    const focusable = target instanceof HTMLDetailsElement ? target.querySelector('summary') : target;
    focusable?.focus({ preventScroll: true });
  };

  /** Highlights the lines of the state under the pointer or in focus. */
  const highlightLines = (drawing: Element): void => {
    const highlight = (state: string | null): void => {
      drawing.classList.toggle('highlights', state !== null);
      for (const line of drawing.querySelectorAll<SVGElement>('.line'))
        line.classList.toggle('highlighted', line.dataset.from === state || line.dataset.to === state);
    };
    for (const state of drawing.querySelectorAll<SVGElement>('.state')) {
      const enter = () => highlight(state.dataset.state ?? null);
      const leave = () => highlight(null);
      state.addEventListener('pointerenter', enter);
      state.addEventListener('focusin', enter);
      state.addEventListener('pointerleave', leave);
      state.addEventListener('focusout', leave);
    }
  };

  const startSizes = (canvas: HTMLElement, button: HTMLElement): void => {
    button.addEventListener('click', () => {
      const isWhole = canvas.classList.toggle('whole');
      button.setAttribute('aria-pressed', String(isWhole));
    });
  };

  const [input, results, count] = [byId('search'), byId('search-results'), byId('search-count')];
  if (input instanceof HTMLInputElement && results && count) startSearch(input, results, count);
  const [canvas, size] = [byId('canvas'), byId('canvas-size')];
  if (canvas && size) startSizes(canvas, size);
  for (const drawing of document.querySelectorAll('.drawing')) highlightLines(drawing);
  addEventListener('hashchange', showTarget);
  showTarget();
}
