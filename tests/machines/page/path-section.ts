import type { TestPath } from '../paths/cover.ts';
import type { Expected, WrittenPath } from '../paths/document.ts';
import { changedFacts, type Fact, factsOf } from '../paths/facts.ts';
import { writtenPath } from '../paths/written.ts';
import { causeOf } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { causeMarkup, meaningOf, type Setting, type Subject, section, stateLink, table } from './subject.ts';

/** What a path is for, in a person's words. */
export const goalWords = ({ goals }: TestPath, { pathWords }: Setting): string =>
  goals.slice(0, 1).map(pathWords.goalText).join();

const factList = (facts: readonly Fact[]): Markup | null =>
  facts.length > 0
    ? html`<ul class="data">${facts.map(({ name, value }) => html`<li>${name}: <code>${value}</code></li>`)}</ul>`
    : null;

const standing = ({ states }: Expected, { said }: Setting): readonly Markup[] =>
  states.map(({ id }) => html`<div>${stateLink(id)} ${meaningOf(said.state(id))}</div>`);

const rowsOf = (subject: Subject, path: WrittenPath, setting: Setting): readonly Markup[] => {
  const { pathWords } = setting;
  const beginning = factList(factsOf(path.begins.facts, pathWords));
  return [
    html`<tr><th scope="row">0</th><td>${setting.words.nothingYet}</td><td>${standing(path.begins, setting)}${beginning}</td></tr>
`,
    ...path.steps.map(
      ({ event, expected }, index) =>
        html`<tr><th scope="row">${index + 1}</th><td>${causeMarkup(causeOf(event.type), setting, subject)}${factList(factsOf(event.data, pathWords))}</td><td>${standing(expected, setting)}${factList(changedFacts(path, index, pathWords))}</td></tr>
`,
    ),
  ];
};

const pathMarkup = (subject: Subject, path: TestPath, setting: Setting): Markup => {
  const { words, pathWords } = setting;
  const written = writtenPath(subject.modelled, path, pathWords);
  const { number } = path;
  return html`<details id="${anchorOf('path', number)}">
<summary><code>${number}</code> ${goalWords(path, setting)}</summary>
<p class="before">${words.begin}: ${written.start}</p>
${table(number, [words.step, words.happens, words.expected], rowsOf(subject, written, setting))}
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
