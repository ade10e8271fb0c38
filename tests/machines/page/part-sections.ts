import { guardsIn, statesOf } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import type { Sayings } from './sayings.ts';
import type { Piece } from './source.ts';
import { eventSaid, type Setting, type Subject, section, stateLink, table, takenBy } from './subject.ts';

const links = (ids: readonly string[]): readonly Markup[] => [...new Set(ids)].map((id) => html`${stateLink(id)} `);

const pieceMarkup = (piece: Piece, { addressOf }: Setting): Markup =>
  html`<pre tabindex="0"><code>${piece.source}</code></pre><a class="place" href="${addressOf(piece.file)}">${piece.file}:${piece.line}</a>`;

const row = (kind: string, name: string, cells: readonly (Markup | null)[]): Markup =>
  html`<tr id="${anchorOf(kind, name)}" tabindex="-1"><th scope="row"><code>${name}</code></th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;

const text = (saying: string | null): Markup => html`${saying ?? ''}`;

/** Names with the states in which they occur, in the order of the chart. */
const occurrences = (subject: Subject, namesIn: (state: Subject['chart']) => readonly string[]) => {
  const found = new Map<string, string[]>();
  for (const state of statesOf(subject.chart))
    for (const name of namesIn(state)) found.set(name, [...(found.get(name) ?? []), state.id]);
  return [...found];
};

/** What can be told to the machine; what a star stands for follows it. */
export const eventsOf = (subject: Subject) =>
  occurrences(subject, ({ transitions }) =>
    transitions.flatMap(({ cause }) => (cause.kind === 'event' ? [cause.event] : [])),
  ).flatMap(([type, states]) => [type, ...takenBy(type, subject)].map((one) => [one, states] as const));

/** Guards by their names; those that are put together count as their parts. */
export const guardsOf = (subject: Subject) =>
  occurrences(subject, ({ transitions }) =>
    transitions.flatMap(({ guard }) => (guard === null ? [] : guardsIn(guard).map(({ name }) => name))),
  );

export interface Port {
  readonly name: string;
  /** What it is called where it is filled. */
  readonly source: string;
  readonly states: readonly string[];
}

/** Work that the machine has done by others: what it invokes, then what it spawns. */
export const portsOf = (subject: Subject): readonly Port[] => {
  const invokes = subject.states.flatMap((state) => state.invokes);
  const sourceOf = (name: string) => invokes.find(({ id }) => id === name)?.source ?? name;
  const sources = new Set(invokes.map(({ source }) => source));
  const spawned = Object.keys(subject.modelled.machine.implementations.actors).filter((name) => !sources.has(name));
  return [
    ...occurrences(subject, (state) => state.invokes.map(({ id }) => id)).map(([name, states]) => ({
      ...{ name, states, source: sourceOf(name) },
    })),
    ...spawned.map((name) => ({ name, source: name, states: [] })),
  ];
};

/** What a port does. */
export const portSaid = ({ name, source }: Port, said: Sayings): string | null => said.port(name) ?? said.port(source);

export const eventSection = (subject: Subject, setting: Setting): Markup | null => {
  const { words, said } = setting;
  const rows = eventsOf(subject).map(([type, ids]) =>
    row('event', type, [text(eventSaid(type, said, subject)), html`${links(ids)}`]),
  );
  return section(
    'events',
    words.events,
    rows.length > 0 ? table(`${words.events}, ${said.name}`, [words.name, words.meaning, words.where], rows) : null,
  );
};

export const guardSection = (subject: Subject, setting: Setting): Markup | null => {
  const { words, said } = setting;
  const rows = guardsOf(subject).map(([name, ids]) => {
    const piece = subject.guards.get(name);
    return row('guard', name, [
      text(said.guard(name)),
      piece ? pieceMarkup(piece, setting) : null,
      html`${links(ids)}`,
    ]);
  });
  const heads = [words.name, words.meaning, words.definition, words.where];
  return section('guards', words.guards, rows.length > 0 ? table(`${words.guards}, ${said.name}`, heads, rows) : null);
};

export const delaySection = (subject: Subject, setting: Setting): Markup | null => {
  const { words, said } = setting;
  const rows = subject.delays.map(({ name, values, isWorkedOut, states }) => {
    const piece = isWorkedOut ? subject.delayPieces.get(name) : undefined;
    const value = isWorkedOut ? html`${words.workedOut} ${values.join(', ')}` : html`${values.join(', ')}`;
    return row('delay', name, [
      text(said.delay(name)),
      html`${value}${piece ? pieceMarkup(piece, setting) : null}`,
      html`${links(states)}`,
    ]);
  });
  const heads = [words.name, words.meaning, words.value, words.where];
  const anew = subject.delaysAnew && html`<p>${words.setAnew}</p>${pieceMarkup(subject.delaysAnew, setting)}`;
  const label = `${words.delays}, ${said.name}`;
  return section('delays', words.delays, rows.length > 0 ? html`${table(label, heads, rows)}${anew}` : null);
};

/** What a port is filled by: a piece of the wiring, another machine, or nothing but itself. */
const fillingOf = (subject: Subject, { source }: Port, setting: Setting): Markup => {
  const { words } = setting;
  const filling = subject.fillings.find(({ port }) => port === source);
  const logic = subject.modelled.machine.implementations.actors[source];
  const child =
    typeof logic === 'object' && 'id' in logic ? subject.children.find(({ machine }) => machine === logic.id) : null;
  const other = child ? html`<p>${words.otherMachine}: <a href="${child.machine}.html">${child.machine}</a></p>` : null;
  if (!filling) return other ?? html`${words.builtIn}`;
  return html`${other}${pieceMarkup(filling, setting)}`;
};

export const portSection = (subject: Subject, setting: Setting): Markup | null => {
  const { words, said } = setting;
  const rows = portsOf(subject).map((port) =>
    row('port', port.name, [
      text(portSaid(port, said)),
      html`${links(port.states)}`,
      fillingOf(subject, port, setting),
    ]),
  );
  const heads = [words.name, words.meaning, words.where, words.filledBy];
  return section(
    'ports',
    words.ports,
    rows.length > 0 ? html`<p>${words.portsHelp}</p>${table(`${words.ports}, ${said.name}`, heads, rows)}` : null,
  );
};

export const testSection = (subject: Subject, { words, addressOf }: Setting): Markup | null =>
  section(
    'tests',
    words.tests,
    html`<ul>
${subject.tests.map(
  (file) => html`<li><a href="${addressOf(file)}">${file}</a></li>
`,
)}</ul>`,
  );
