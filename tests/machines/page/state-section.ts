import { guardsIn, type State, type Transition } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { causeMarkup, meaningOf, named, type Setting, type Subject, section, stateLink, table } from './subject.ts';

const kindOf = ({ kind, isInitial }: State, { words }: Setting): readonly string[] => [
  ...(isInitial ? [words.kinds.initial] : []),
  ...(kind === 'compound' || kind === 'parallel' || kind === 'final' ? [words.kinds[kind]] : []),
];

/** A path as a link to where it is told. */
export const pathLink = (number: string): Markup =>
  html`<a href="#${anchorOf('path', number)}"><code>${number}</code></a> `;

const mostLinks = 3;

const pathLinks = (numbers: readonly string[]): Markup =>
  html`${numbers.slice(0, mostLinks).map(pathLink)}${numbers.length > mostLinks ? `+${numbers.length - mostLinks}` : null}`;

const conditionOf = ({ guard, rank }: Transition, { words, said }: Setting): Markup => {
  const parts = guard === null ? [] : guardsIn(guard);
  return html`${rank > 0 ? html`<span class="quiet">${words.otherwise}</span> ` : null}${parts.map(
    ({ name, text }) =>
      html`<a href="#${anchorOf('guard', name)}"><code>${text}</code></a> ${meaningOf(said.guard(name))} `,
  )}`;
};

const goalOf = (state: State, { isRefused, targets }: Transition, { words }: Setting): Markup => {
  if (isRefused) return html`<span class="quiet">${words.refused}</span>`;
  if (targets.length === 0) return html`<span class="quiet">${words.stays}</span>`;
  return html`${targets.map((id) => (id === state.id ? html`↺ ${stateLink(id)}` : html`→ ${stateLink(id)} `))}`;
};

const transitionRow = (subject: Subject, state: State, one: Transition, setting: Setting): Markup =>
  html`<tr><td>${causeMarkup(one.cause, setting, subject)}</td><td>${conditionOf(one, setting)}</td><td>${goalOf(state, one, setting)}</td><td>${one.actions.map((name) => html`<code>${name}</code> `)}</td><td>${pathLinks(subject.walkedBy.get(one.name) ?? [])}</td></tr>
`;

const fact = (label: string, content: readonly Markup[]): Markup | null =>
  content.length > 0 ? html`<div><dt>${label}</dt><dd>${content}</dd></div>` : null;

const code = (name: string): Markup => html`<code>${name}</code> `;

const stateMarkup = (subject: Subject, state: State, setting: Setting): Markup => {
  const { words, said } = setting;
  const short = state.id.split('.').slice(1).join('.') || state.id;
  const kinds = kindOf(state, setting);
  const invokes = state.invokes.map(
    ({ id, source }) => html`<a href="#${anchorOf('port', id)}">${named(id, said.port(id) ?? said.port(source))}</a> `,
  );
  const heads = [words.cause, words.condition, words.leadsTo, words.does, words.walkedBy];
  const rows = state.transitions.map((one) => transitionRow(subject, state, one, setting));
  return html`<article id="${anchorOf('state', state.id)}" data-state="${state.id}" tabindex="-1">
<h3><code>${short}</code>${kinds.length > 0 ? html` <span class="kind">${kinds.join(', ')}</span>` : null}</h3>
${said.state(state.id) ? html`<p>${said.state(state.id)}</p>` : null}
<dl class="facts">${fact(words.runsHere, invokes)}${fact(words.onEntry, state.entry.map(code))}${fact(words.onExit, state.exit.map(code))}</dl>
${rows.length > 0 ? table(`${words.transitions}: ${short}`, heads, rows) : null}
</article>
`;
};

/** Every state with what can happen in it. */
export const stateSection = (subject: Subject, setting: Setting): Markup | null =>
  section('states', setting.words.states, html`${subject.states.map((state) => stateMarkup(subject, state, setting))}`);
