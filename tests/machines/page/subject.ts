import type { Modelled } from '../models/index.ts';
import type { TestPath } from '../paths/cover.ts';
import type { Words } from '../paths/words.ts';
import type { Child } from './actors.ts';
import type { Cause, State } from './chart.ts';
import type { Delay } from './delays.ts';
import { causeText } from './drawing-rows.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { type PageWords, withValue } from './page-words.ts';
import type { Filling } from './ports.ts';
import type { Sayings } from './sayings.ts';
import type { Piece } from './source.ts';

/** A machine with everything that its page tells, whatever the language. */
export interface Subject {
  readonly modelled: Modelled;
  readonly chart: State;
  readonly states: readonly State[];
  readonly children: readonly Child[];
  readonly fillings: readonly Filling[];
  readonly guards: ReadonlyMap<string, Piece>;
  readonly delays: readonly Delay[];
  readonly delayPieces: ReadonlyMap<string, Piece>;
  /** Where the product sets delays anew when it starts the machine. */
  readonly delaysAnew: Piece | null;
  readonly paths: readonly TestPath[];
  /** Numbers of the paths that take a transition, by its name. */
  readonly walkedBy: ReadonlyMap<string, readonly string[]>;
  /** From the root of the repository. */
  readonly tests: readonly string[];
}

/** What the sections of a page share. */
export interface Setting {
  readonly words: PageWords;
  /** The words in which paths are told. */
  readonly pathWords: Words;
  readonly said: Sayings;
  /** A file of the repository as an address from the page. */
  readonly addressOf: (file: string) => string;
}

/** A name from the code with what it means. */
export const named = (code: string, meaning: string | null): Markup =>
  meaning ? html`<code>${code}</code> <span class="meaning">${meaning}</span>` : html`<code>${code}</code>`;

/** A state as a link to where it is told, called as within its machine. */
export const stateLink = (id: string): Markup => {
  const [first = id, ...others] = id.split('.');
  return html`<a href="#${anchorOf('state', id)}"><code>${others.length > 0 ? others.join('.') : first}</code></a>`;
};

/** What starts a transition, in a person's words alone; null where there are none. */
export const causeSaid = (cause: Cause, { words, said }: Setting, subject: Subject): string | null => {
  switch (cause.kind) {
    case 'event':
      return eventSaid(cause.event, said, subject);
    case 'answered':
    case 'failed':
      return said[cause.kind](cause.port);
    case 'after': {
      const known = subject.delays.find(({ name }) => name === cause.delay);
      return withValue(words.after, known?.values.join(', ') ?? cause.delay);
    }
    case 'finished':
      return said.event(`xstate.done.state.${cause.state}`) ?? words.finished;
    case 'always':
      return words.always;
  }
};

/** The events that the models send and that a descriptor with a star takes. */
export const takenBy = (descriptor: string, { modelled }: Subject): readonly string[] => {
  if (!descriptor.endsWith('*')) return [];
  const types = modelled.models.flatMap(({ events }) => events.map(({ type }) => type));
  return [...new Set(types)].filter((type) => type.startsWith(descriptor.slice(0, -1)));
};

/** What an event means; of a descriptor with a star, what each of its events does. */
export const eventSaid = (type: string, said: Sayings, subject: Subject): string | null =>
  said.event(type) ??
  (takenBy(type, subject)
    .flatMap((one) => said.event(one) ?? [])
    .join('; ') ||
    null);

/** What starts a transition: its name as a link to where it is told, and its meaning. */
export const causeMarkup = (cause: Cause, setting: Setting, subject: Subject): Markup => {
  const meaning = meaningOf(causeSaid(cause, setting, subject));
  switch (cause.kind) {
    case 'event':
      return html`<a href="#${anchorOf('event', cause.event)}"><code>${cause.event}</code></a> ${meaning}`;
    case 'answered':
    case 'failed':
      return html`<a href="#${anchorOf('port', cause.port)}"><code>${causeText(cause, {})}</code></a> ${meaning}`;
    case 'after':
      return html`<a href="#${anchorOf('delay', cause.delay)}"><code>${cause.delay}</code></a> ${meaning}`;
    default:
      return html`${meaning}`;
  }
};

export const meaningOf = (text: string | null): Markup | null =>
  text ? html`<span class="meaning">${text}</span>` : null;

/** A section with its heading; left out when there is nothing to tell. */
export const section = (id: string, heading: string, content: Markup | null): Markup | null =>
  content &&
  html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${content}
</section>
`;

/** A table that can be scrolled by itself where it is too wide. */
export const table = (label: string, heads: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
