import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { serialized } from '../../paths.ts';
import type { TestPath } from '../paths/cover.ts';
import type { Step } from '../paths/steps.ts';
import { causeOf, guardsIn } from './chart.ts';
import { causeText } from './drawing-rows.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { causeMarkup, causeSaid, meaningOf, type Setting, type Subject, section, stateLink, table } from './subject.ts';

/** The innermost states: they say those around them. */
const leavesOf = (state: AnyMachineSnapshot): readonly string[] =>
  (state._nodes as readonly { readonly id: string; readonly type: string }[])
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .map(({ id }) => id);

/** What comes with an event, as it is written in JSON; null when nothing does. */
const givenOf = (event: AnyEventObject): Markup | null => {
  const { type: _, ...given } = JSON.parse(serialized(event) ?? '{}');
  return Object.keys(given).length > 0
    ? html`<pre tabindex="0"><code>${JSON.stringify(given, null, 1)}</code></pre>`
    : null;
};

const stateMarkup = (id: string, { said }: Setting): Markup =>
  html`<div>${stateLink(id)} ${meaningOf(said.state(id))}</div>`;

const stepRow = (subject: Subject, { event, state }: Step, index: number, setting: Setting): Markup => {
  const happens = html`${causeMarkup(causeOf(event.type), setting, subject)}${givenOf(event)}`;
  return html`<tr><th scope="row">${index}</th><td>${index > 0 ? happens : setting.words.nothingYet}</td><td>${leavesOf(state).map((id) => stateMarkup(id, setting))}</td></tr>
`;
};

/** What a path was made for, in a person's words: what happens, where, and if what. */
export const goalWords = (subject: Subject, { goals }: TestPath, setting: Setting): string => {
  const { said } = setting;
  for (const state of subject.states) {
    const transition = state.transitions.find(({ name }) => name === goals[0]);
    if (!transition) continue;
    const guards = transition.guard === null ? [] : guardsIn(transition.guard);
    const words = [
      causeSaid(transition.cause, setting, subject) ?? causeText(transition.cause, {}),
      ...guards.map(({ name, text }) => said.guard(name) ?? text),
    ];
    return `${said.state(state.id) ?? said.name}: ${words.join(', ')}`;
  }
  return '';
};

const pathMarkup = (subject: Subject, path: TestPath, setting: Setting): Markup => {
  const { words, said } = setting;
  const { number, model, steps } = path;
  const rows = steps.map((step, index) => stepRow(subject, step, index, setting));
  return html`<details id="${anchorOf('path', number)}">
<summary><code>${number}</code> ${goalWords(subject, path, setting)}</summary>
<p class="before">${words.begin}: ${said.model(model.name) ?? model.name}</p>
${table(number, [words.step, words.happens, words.expected], rows)}
</details>
`;
};

/** The paths that together take every transition. */
export const pathSection = (subject: Subject, setting: Setting): Markup | null =>
  section(
    'paths',
    setting.words.paths,
    subject.paths.length > 0
      ? html`<p>${setting.words.pathsHelp}</p>${subject.paths.map((path) => pathMarkup(subject, path, setting))}`
      : null,
  );
