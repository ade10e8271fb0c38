import { button, choosable, element } from './elements.ts';
import type { Observed, SeenActor, SeenEvent } from './observed.ts';
import styles from './panel.css?inline';

/** Maximum number of rendered lines; the copied text contains all. */
const maxLines = 300;

const seconds = (ms: number) => `${(ms / 1000).toFixed(3)} s`;

/** Filters actors and events by the name of the machine. */
const matches = (filter: string, ...texts: readonly string[]) =>
  texts.some((text) => text.toLowerCase().includes(filter.toLowerCase()));

/** Sorts children below their parents; actors without a parent come first. */
const treeOf = (actors: readonly SeenActor[]): readonly (readonly [SeenActor, number])[] => {
  const known = new Set(actors.map(({ key }) => key));
  const below = (parent: string | null, depth: number): (readonly [SeenActor, number])[] =>
    actors
      .filter((actor) =>
        parent === null ? actor.parent === null || !known.has(actor.parent) : actor.parent === parent,
      )
      .flatMap((actor) => [[actor, depth] as const, ...below(actor.key, depth + 1)]);
  return below(null, 0);
};

/** Opens a file in the editor through the development server. */
const sourceLink = (machine: string) =>
  element(
    'a',
    {
      href: `/__open-in-editor?file=${encodeURIComponent(`src/machines/${machine}/${machine}.machine.ts`)}`,
      target: '_blank',
    },
    `${machine}.machine.ts`,
  );

const actorDetails = (actor: SeenActor): readonly (Node | string)[] => [
  element('strong', {}, actor.name),
  element('div', {}, `${actor.state} (${actor.status})`),
  ...(actor.machine ? [sourceLink(actor.machine)] : []),
  element('pre', {}, JSON.stringify(actor.context, null, 2)),
];

const eventDetails = (event: SeenEvent, actor: SeenActor | undefined): readonly (Node | string)[] => [
  element('strong', {}, event.type),
  element('div', {}, event.before === event.after ? event.after : `${event.before} → ${event.after}`),
  ...(event.transitions.length === 0 ? [element('div', { class: 'dimmed' }, 'ignored in this state')] : []),
  ...event.transitions.map((transition) => element('div', {}, transition)),
  ...(actor?.machine ? [sourceLink(actor.machine)] : []),
  element('pre', {}, JSON.stringify(event.payload, null, 2)),
];

/**
 * Opens a panel with the running actors, their states and events. Keys: Tab between parts, arrows in lists. `onClose` is called once after
 * closing.
 */
export const openPanel = (observed: Observed, onClose: () => void): void => {
  const host = element('div', { 'data-inspector': true });
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  shadow.adoptedStyleSheets = [sheet];

  let chosen: { readonly kind: 'actor' | 'event'; readonly key: string } | null = null;
  const tree = element('ul', { role: 'tree', 'aria-label': 'Actors', tabindex: '0' });
  const list = element('ol', { role: 'listbox', 'aria-label': 'Events', tabindex: '0' });
  const details = element('div', { role: 'region', 'aria-label': 'Details', tabindex: '0' });
  const filter = element('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'Filter' });
  const count = element('span', { class: 'dimmed', 'aria-live': 'off' });

  const draw = () => {
    const { actors, events } = observed.seen();
    const byKey = new Map(actors.map((actor) => [actor.key, actor]));
    const isChosen = (kind: 'actor' | 'event', key: string) => chosen?.kind === kind && chosen.key === key;
    tree.replaceChildren(
      ...treeOf(actors).map(([actor, depth]) => {
        const selected = String(isChosen('actor', actor.key));
        const line = element('li', {
          role: 'treeitem',
          'data-key': actor.key,
          'aria-level': String(depth + 1),
          'aria-selected': selected,
        });
        line.style.paddingInlineStart = `${4 + 12 * depth}px`;
        line.append(actor.name, ' ', element('span', { class: 'dimmed' }, actor.state || actor.status));
        return line;
      }),
    );
    const found = events.filter(({ type, to }) => matches(filter.value, type, byKey.get(to)?.name ?? ''));
    list.replaceChildren(
      ...found.slice(-maxLines).map((event) =>
        element(
          'li',
          {
            role: 'option',
            'data-key': String(event.number),
            'aria-selected': String(isChosen('event', String(event.number))),
          },
          element('span', { class: 'dimmed' }, `${seconds(event.atMs)} ${byKey.get(event.to)?.name ?? '?'} `),
          element('span', { class: event.transitions.length === 0 ? 'unheard' : '' }, event.type),
        ),
      ),
    );
    count.textContent = `${found.length} events`;
    const actor = chosen?.kind === 'actor' ? byKey.get(chosen.key) : undefined;
    const event = chosen?.kind === 'event' ? events.find(({ number }) => String(number) === chosen?.key) : undefined;
    details.replaceChildren(
      ...(actor
        ? actorDetails(actor)
        : event
          ? eventDetails(event, byKey.get(event.to))
          : ['Choose an actor or an event']),
    );
  };
  const choose = (kind: 'actor' | 'event') => (key: string) => {
    chosen = { kind, key };
    draw();
  };
  choosable(tree, choose('actor'));
  choosable(list, choose('event'));
  filter.addEventListener('input', draw);

  // Renders at most once per frame.
  let asked = 0;
  const drawSoon = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      const follows =
        list.parentElement &&
        list.parentElement.scrollHeight - list.parentElement.scrollTop - list.parentElement.clientHeight < 40;
      draw();
      if (follows && chosen === null) list.parentElement?.scrollTo({ top: list.parentElement.scrollHeight });
    });
  };
  const stop = observed.onChange(drawSoon);
  const pause = button('Pause', () => {
    observed.pause(!observed.isPaused());
    pause.textContent = observed.isPaused() ? 'Go on' : 'Pause';
  });
  const copy = button('Copy as JSON', () => {
    void navigator.clipboard.writeText(JSON.stringify(observed.seen(), null, 2)).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Could not copy'),
    );
  });
  const close = button('Close', () => {
    stop();
    cancelAnimationFrame(asked);
    host.remove();
    onClose();
  });
  shadow.append(
    element(
      'section',
      { 'aria-label': 'Inspector' },
      element(
        'header',
        {},
        element('h2', {}, 'Inspector'),
        element('label', {}, filter, count),
        pause,
        button('Clear', observed.clear),
        copy,
        close,
      ),
      element('div', { class: 'panes' }, element('div', {}, tree), element('div', {}, list), details),
    ),
  );
  // Keys are handled here and not by the page's shortcuts.
  for (const type of ['keydown', 'keyup', 'keypress'] as const)
    shadow.addEventListener(type, (event) => event.stopPropagation());
  document.body.append(host);
  draw();
};
