import type { MachineTexts } from '../machine-texts.ts';
import { guardsIn, statesOf } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import type { Snippet } from './source.ts';
import { eventMeaning, type PageContext, type Subject, section, stateLink, table, takenBy } from './subject.ts';

const links = (ids: readonly string[]): readonly Markup[] => [...new Set(ids)].map((id) => html`${stateLink(id)} `);

const snippetMarkup = (snippet: Snippet, { addressOf }: PageContext): Markup =>
  html`<pre tabindex="0"><code>${snippet.source}</code></pre><a class="place" href="${addressOf(snippet.file)}">${snippet.file}:${snippet.line}</a>`;

const row = (kind: string, name: string, cells: readonly (Markup | null)[]): Markup =>
  html`<tr id="${anchorOf(kind, name)}" tabindex="-1"><th scope="row"><code>${name}</code></th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;

const text = (one: string | null): Markup => html`${one ?? ''}`;

/** Returns names with the states in which they occur, in the order of the chart. */
const occurrences = (subject: Subject, namesIn: (state: Subject['chart']) => readonly string[]) => {
  const found = new Map<string, string[]>();
  for (const state of statesOf(subject.chart))
    for (const name of namesIn(state)) found.set(name, [...(found.get(name) ?? []), state.id]);
  return [...found];
};

/** Returns the events of a machine with their states; a descriptor with a star is followed by its events. */
export const eventsOf = (subject: Subject) =>
  occurrences(subject, ({ transitions }) =>
    transitions.flatMap(({ cause }) => (cause.kind === 'event' ? [cause.event] : [])),
  ).flatMap(([type, states]) => [type, ...takenBy(type, subject)].map((one) => [one, states] as const));

/** Returns the guards with their states; combined guards count as their parts. */
export const guardsOf = (subject: Subject) =>
  occurrences(subject, ({ transitions }) =>
    transitions.flatMap(({ guard }) => (guard === null ? [] : guardsIn(guard).map(({ name }) => name))),
  );

export interface Port {
  readonly name: string;
  /** Name in the implementations of the machine. */
  readonly source: string;
  readonly states: readonly string[];
}

/** Returns the invoked actors, then the spawned ones. */
export const portsOf = (subject: Subject): readonly Port[] => {
  const invokes = subject.states.flatMap((state) => state.invokes);
  const sourceOf = (name: string) => invokes.find(({ id }) => id === name)?.source ?? name;
  const sources = new Set(invokes.map(({ source }) => source));
  const spawned = Object.keys(subject.modelled.machine.implementations.actors).filter((name) => !sources.has(name));
  return [
    ...occurrences(subject, (state) => state.invokes.map(({ id }) => id)).map(([name, states]) => ({
      name,
      states,
      source: sourceOf(name),
    })),
    ...spawned.map((name) => ({ name, source: name, states: [] })),
  ];
};

/** Returns the meaning of a port. */
export const portMeaning = ({ name, source }: Port, texts: MachineTexts): string | null =>
  texts.port(name) ?? texts.port(source);

export const eventSection = (subject: Subject, page: PageContext): Markup | null => {
  const { texts } = page;
  const rows = eventsOf(subject).map(([type, ids]) =>
    row('event', type, [text(eventMeaning(type, texts, subject)), html`${links(ids)}`]),
  );
  return section(
    'events',
    'Events',
    rows.length > 0 ? table(`Events, ${texts.name}`, ['Name', 'Meaning', 'States'], rows) : null,
  );
};

export const guardSection = (subject: Subject, page: PageContext): Markup | null => {
  const { texts } = page;
  const rows = guardsOf(subject).map(([name, ids]) => {
    const snippet = subject.guards.get(name);
    return row('guard', name, [
      text(texts.guard(name)),
      snippet ? snippetMarkup(snippet, page) : null,
      html`${links(ids)}`,
    ]);
  });
  const heads = ['Name', 'Meaning', 'Definition', 'States'];
  return section('guards', 'Guards', rows.length > 0 ? table(`Guards, ${texts.name}`, heads, rows) : null);
};

export const delaySection = (subject: Subject, page: PageContext): Markup | null => {
  const { texts } = page;
  const rows = subject.delays.map(({ name, values, isComputed, states }) => {
    const snippet = isComputed ? subject.delaySnippets.get(name) : undefined;
    const value = isComputed ? html`computed; for example ${values.join(', ')}` : html`${values.join(', ')}`;
    return row('delay', name, [
      text(texts.delay(name)),
      html`${value}${snippet ? snippetMarkup(snippet, page) : null}`,
      html`${links(states)}`,
    ]);
  });
  const heads = ['Name', 'Meaning', 'Value', 'States'];
  const overrides =
    subject.delayOverrides &&
    html`<p>When the program starts the machine, these delays apply instead:</p>${snippetMarkup(subject.delayOverrides, page)}`;
  const label = `Delays, ${texts.name}`;
  return section('delays', 'Delays', rows.length > 0 ? html`${table(label, heads, rows)}${overrides}` : null);
};

/** Returns how a port is implemented: by a snippet of the wiring, by another machine, or by the machine itself. */
const implementationOf = (subject: Subject, { source }: Port, page: PageContext): Markup => {
  const implementation = subject.implementations.find(({ port }) => port === source);
  const logic = subject.modelled.machine.implementations.actors[source];
  const child =
    typeof logic === 'object' && 'id' in logic ? subject.children.find(({ machine }) => machine === logic.id) : null;
  const other = child ? html`<p>another machine: <a href="${child.machine}.html">${child.machine}</a></p>` : null;
  if (!implementation) return other ?? html`part of the machine`;
  return html`${other}${snippetMarkup(implementation, page)}`;
};

export const portSection = (subject: Subject, page: PageContext): Markup | null => {
  const { texts } = page;
  const rows = portsOf(subject).map((port) =>
    row('port', port.name, [
      text(portMeaning(port, texts)),
      html`${links(port.states)}`,
      implementationOf(subject, port, page),
    ]),
  );
  const heads = ['Name', 'Meaning', 'States', 'Implementation'];
  return section(
    'ports',
    'Ports',
    rows.length > 0
      ? html`<p>A port is work outside the machine: the machine declares it, and src/wiring connects it to a service.</p>${table(`Ports, ${texts.name}`, heads, rows)}`
      : null,
  );
};

export const testSection = (subject: Subject, { addressOf }: PageContext): Markup | null =>
  section(
    'tests',
    'Tests',
    html`<ul>
${subject.tests.map(
  (file) => html`<li><a href="${addressOf(file)}">${file}</a></li>
`,
)}</ul>`,
  );
