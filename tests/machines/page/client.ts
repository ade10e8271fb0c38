/**
 * The program of the pages about machines. It is written out without its types as `page.js` and runs from the disk, without a server:
 * a classic script, so nothing is imported.
 */
interface Found {
  /** Name and meaning, as they are shown. */
  readonly text: string;
  readonly machine: string;
  readonly href: string;
}

{
  const keptLanguage = 'dentarium.machines.language';
  const mostShown = 50;

  const byId = (id: string) => document.getElementById(id);

  /** Storage may be forbidden to a page from the disk. */
  const keep = (language: string): void => {
    try {
      localStorage.setItem(keptLanguage, language);
    } catch {}
  };
  const kept = (): string | null => {
    try {
      return localStorage.getItem(keptLanguage);
    } catch {
      return null;
    }
  };

  /** The first page leads on to the language that was chosen last, or that the browser speaks. */
  const leadOn = (languages: readonly string[]): void => {
    const spoken = navigator.languages.map((tag) => tag.split('-')[0]?.replace(/^n[bn]$/, 'no') ?? '');
    const language = [kept() ?? '', ...spoken].find((one) => languages.includes(one));
    if (language) location.replace(`${language}/index.html`);
  };

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
      ...found.slice(0, mostShown).map(({ text, machine, href }) => {
        const link = document.createElement('a');
        link.href = href;
        link.textContent = `${text} (${machine})`;
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    results.hidden = found.length === 0;
    const { one = '', other = '', none = '' } = count.dataset;
    const said = found.length === 0 ? none : found.length === 1 ? one : other;
    count.textContent = words.length === 0 ? '' : said.replace('{count}', String(found.length));
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

  /** What an address names is opened and focused, also inside of a path that is folded up. */
  const showTarget = (): void => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target instanceof HTMLDetailsElement) target.open = true;
    target.scrollIntoView();
    const focusable = target instanceof HTMLDetailsElement ? target.querySelector('summary') : target;
    focusable?.focus({ preventScroll: true });
  };

  /** The lines of the state under the pointer or in focus stand out. */
  const followLines = (drawing: Element): void => {
    const follow = (state: string | null): void => {
      drawing.classList.toggle('seeks', state !== null);
      for (const line of drawing.querySelectorAll<SVGElement>('.line'))
        line.classList.toggle('met', line.dataset.from === state || line.dataset.to === state);
    };
    for (const state of drawing.querySelectorAll<SVGElement>('.state')) {
      const seek = () => follow(state.dataset.state ?? null);
      const leave = () => follow(null);
      state.addEventListener('pointerenter', seek);
      state.addEventListener('focusin', seek);
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

  const { languages } = document.body.dataset;
  if (languages) leadOn(languages.split(' '));
  const [input, results, count] = [byId('search'), byId('search-results'), byId('search-count')];
  if (input instanceof HTMLInputElement && results && count) startSearch(input, results, count);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]'))
    link.addEventListener('click', () => {
      keep(link.dataset.language ?? '');
      // The same place in the other language.
      link.hash = location.hash;
    });
  const [canvas, size] = [byId('canvas'), byId('canvas-size')];
  if (canvas && size) startSizes(canvas, size);
  for (const drawing of document.querySelectorAll('.drawing')) followLines(drawing);
  addEventListener('hashchange', showTarget);
  showTarget();
}
