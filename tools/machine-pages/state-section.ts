import { guardsIn, type State, type Transition } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { causeMarkup, meaningOf, named, type PageContext, type Subject, section, stateLink, table } from './subject.ts';

const kindOf = ({ kind, isInitial }: State): readonly string[] => [
  ...(isInitial ? ['initial'] : []),
  ...(kind === 'parallel' || kind === 'final' ? [kind] : []),
];

/** Returns a link to a path of the same page. */
export const pathLink = (number: string): Markup =>
  html`<a href="#${anchorOf('path', number)}"><code>${number}</code></a> `;

const maxLinks = 3;

const pathLinks = (numbers: readonly string[]): Markup =>
  html`${numbers.slice(0, maxLinks).map(pathLink)}${numbers.length > maxLinks ? `+${numbers.length - maxLinks}` : null}`;

const conditionOf = ({ guard, rank }: Transition, { texts }: PageContext): Markup => {
  const parts = guard === null ? [] : guardsIn(guard);
  return html`${rank > 0 ? html`<span class="dimmed">else</span> ` : null}${parts.map(
    ({ name, text }) =>
      html`<a href="#${anchorOf('guard', name)}"><code>${text}</code></a> ${meaningOf(texts.guard(name))} `,
  )}`;
};

const targetOf = (state: State, { isRejected, targets }: Transition): Markup => {
  if (isRejected) return html`<span class="dimmed">rejected here</span>`;
  if (targets.length === 0) return html`<span class="dimmed">stays</span>`;
  return html`${targets.map((id) => (id === state.id ? html`↺ ${stateLink(id)}` : html`→ ${stateLink(id)} `))}`;
};

const transitionRow = (subject: Subject, state: State, one: Transition, page: PageContext): Markup =>
  html`<tr><td>${causeMarkup(one.cause, page, subject)}</td><td>${conditionOf(one, page)}</td><td>${targetOf(state, one)}</td><td>${one.actions.map((name) => html`<code>${name}</code> `)}</td><td>${pathLinks(subject.pathsOfTransition.get(one.name) ?? [])}</td></tr>
`;

const fact = (label: string, content: readonly Markup[]): Markup | null =>
  content.length > 0 ? html`<div><dt>${label}</dt><dd>${content}</dd></div>` : null;

const code = (name: string): Markup => html`<code>${name}</code> `;

const stateMarkup = (subject: Subject, state: State, page: PageContext): Markup => {
  const { texts } = page;
  const short = state.id.split('.').slice(1).join('.') || state.id;
  const kinds = kindOf(state);
  const invokes = state.invokes.map(
    ({ id, source }) =>
      html`<a href="#${anchorOf('port', id)}">${named(id, texts.port(id) ?? texts.port(source))}</a> `,
  );
  const heads = ['Event', 'Guard', 'Target', 'Actions', 'Paths'];
  const rows = state.transitions.map((one) => transitionRow(subject, state, one, page));
  return html`<article id="${anchorOf('state', state.id)}" data-state="${state.id}" tabindex="-1">
<h3><code>${short}</code>${kinds.length > 0 ? html` <span class="kind">${kinds.join(', ')}</span>` : null}</h3>
${texts.state(state.id) ? html`<p>${texts.state(state.id)}</p>` : null}
<dl class="facts">${fact('Invokes', invokes)}${fact('On entry', state.entry.map(code))}${fact('On exit', state.exit.map(code))}</dl>
${rows.length > 0 ? table(`Transitions: ${short}`, heads, rows) : null}
</article>
`;
};

/** Returns every state with its transitions. */
export const stateSection = (subject: Subject, page: PageContext): Markup | null =>
  section('states', 'States', html`${subject.states.map((state) => stateMarkup(subject, state, page))}`);
