import type { TestPath } from '../paths/cover.ts';
import type { Expected, PathDocument } from '../paths/document.ts';
import { changedFacts, type Fact, factsOf, toolText } from '../paths/facts.ts';
import { documentOf } from '../paths/path-documents.ts';
import { goalText } from '../paths/texts.ts';
import { causeOf } from './chart.ts';
import { anchorOf, html, type Markup } from './html.ts';
import { causeMarkup, meaningOf, type PageContext, type Subject, section, stateLink, table } from './subject.ts';

/** Returns what a path was generated for. */
export const titleOf = ({ goals }: TestPath): string => goals.slice(0, 1).map(goalText).join();

const factList = (facts: readonly Fact[]): Markup | null =>
  facts.length > 0
    ? html`<ul class="data">${facts.map(({ name, value }) => html`<li>${name}: <code>${value}</code></li>`)}</ul>`
    : null;

const stateList = ({ states }: Expected, { texts }: PageContext): readonly Markup[] =>
  states.map(({ id }) => html`<div>${stateLink(id)} ${meaningOf(texts.state(id))}</div>`);

const rowsOf = (subject: Subject, path: PathDocument, page: PageContext): readonly Markup[] => [
  html`<tr><th scope="row">0</th><td>Start</td><td></td><td>${stateList(path.initial, page)}${factList(factsOf(path.initial.facts))}</td></tr>
`,
  ...path.steps.map(
    ({ event, expected }, index) =>
      html`<tr><th scope="row">${index + 1}</th><td>${causeMarkup(causeOf(event.type), page, subject)}${factList(factsOf(event.data))}</td><td>${event.how} <span class="dimmed">(${toolText(event.tool)})</span></td><td>${stateList(expected, page)}${factList(changedFacts(path, index))}</td></tr>
`,
  ),
];

const columns = ['Step', 'Event', 'How to make it happen', 'Expected state and changed values'];

const pathMarkup = (subject: Subject, path: TestPath, page: PageContext): Markup => {
  const { number } = path;
  const document = documentOf(subject.modelled, path);
  return html`<details id="${anchorOf('path', number)}">
<summary><code>${number}</code> ${titleOf(path)}</summary>
<p class="before">Start: ${document.start}</p>
${table(number, columns, rowsOf(subject, document, page))}
</details>
`;
};

/** Returns the paths that together take every transition. */
export const pathSection = (subject: Subject, page: PageContext): Markup | null =>
  section(
    'paths',
    'Paths',
    subject.paths.length > 0
      ? html`<p>Together, the paths take every transition. The number of a path is computed from its steps and stays the same as long as they do. Read the next step before you make one: it may need a preparation.</p>${subject.paths.map((path) => pathMarkup(subject, path, page))}`
      : null,
  );
