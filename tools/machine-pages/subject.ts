import type { Modelled } from '../../tests/machines/models/index.ts';
import type { MachineTexts } from '../machine-texts.ts';
import type { TestPath } from '../paths/cover.ts';
import type { Child } from './actors.ts';
import type { Cause, State } from './chart.ts';
import type { Delay } from './delays.ts';
import { causeText } from './drawing-rows.ts';
import { anchorOf, html, type Markup } from './html.ts';
import type { PortImplementation } from './ports.ts';
import type { Snippet } from './source.ts';

/** A machine with everything that its page shows. */
export interface Subject {
  readonly modelled: Modelled;
  readonly chart: State;
  readonly states: readonly State[];
  readonly children: readonly Child[];
  readonly implementations: readonly PortImplementation[];
  readonly guards: ReadonlyMap<string, Snippet>;
  readonly delays: readonly Delay[];
  readonly delaySnippets: ReadonlyMap<string, Snippet>;
  /** Delays that the program overrides when it starts the machine. */
  readonly delayOverrides: Snippet | null;
  readonly paths: readonly TestPath[];
  /** Numbers of the paths that take a transition, by its name. */
  readonly pathsOfTransition: ReadonlyMap<string, readonly string[]>;
  /** From the root of the repository. */
  readonly tests: readonly string[];
}

/** What the sections of a page share. */
export interface PageContext {
  readonly texts: MachineTexts;
  /** Returns the address of a file of the repository, relative to the page. */
  readonly addressOf: (file: string) => string;
}

/** Returns a name from the source code with its meaning. */
export const named = (code: string, meaning: string | null): Markup =>
  meaning ? html`<code>${code}</code> <span class="meaning">${meaning}</span>` : html`<code>${code}</code>`;

/** Returns a link to a state of the same page. */
export const stateLink = (id: string): Markup => {
  const [first = id, ...others] = id.split('.');
  return html`<a href="#${anchorOf('state', id)}"><code>${others.length > 0 ? others.join('.') : first}</code></a>`;
};

/** Returns the meaning of a cause; null when there is no text. */
export const causeMeaning = (cause: Cause, { texts }: PageContext, subject: Subject): string | null => {
  switch (cause.kind) {
    case 'event':
      return eventMeaning(cause.event, texts, subject);
    case 'done':
    case 'failed':
      return texts[cause.kind](cause.port);
    case 'after': {
      const known = subject.delays.find(({ name }) => name === cause.delay);
      return `after ${known?.values.join(', ') ?? cause.delay}`;
    }
    case 'finished':
      return texts.event(`xstate.done.state.${cause.state}`) ?? 'all child states are final';
    case 'always':
      return 'always';
  }
};

/** Returns the events of the models that match a descriptor with a star. */
export const takenBy = (descriptor: string, { modelled }: Subject): readonly string[] => {
  if (!descriptor.endsWith('*')) return [];
  const types = modelled.models.flatMap(({ events }) => events.map(({ type }) => type));
  return [...new Set(types)].filter((type) => type.startsWith(descriptor.slice(0, -1)));
};

/** Returns the meaning of an event; for a descriptor with a star, the meanings of its events. */
export const eventMeaning = (type: string, texts: MachineTexts, subject: Subject): string | null =>
  texts.event(type) ??
  (takenBy(type, subject)
    .flatMap((one) => texts.event(one) ?? [])
    .join('; ') ||
    null);

/** Returns the name of a cause, as a link to its description, and its meaning. */
export const causeMarkup = (cause: Cause, page: PageContext, subject: Subject): Markup => {
  const meaning = meaningOf(causeMeaning(cause, page, subject));
  switch (cause.kind) {
    case 'event':
      return html`<a href="#${anchorOf('event', cause.event)}"><code>${cause.event}</code></a> ${meaning}`;
    case 'done':
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

/** Returns a section with its heading; null without content. */
export const section = (id: string, heading: string, content: Markup | null): Markup | null =>
  content &&
  html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading}</h2>
${content}
</section>
`;

/** Returns a table that scrolls by itself when it is too wide. */
export const table = (label: string, heads: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
