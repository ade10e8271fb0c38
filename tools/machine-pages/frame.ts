import { html, type Markup } from './html.ts';

export interface PageContent {
  readonly title: string;
  /** Name of the file without extension. */
  readonly name: string;
  /** Links to the other pages. */
  readonly machines: readonly { readonly id: string; readonly name: string }[];
  readonly main: Markup;
}

/** Returns a whole page. */
export const pageOf = ({ title, name: page, machines, main }: PageContent): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="page.css">
<link rel="stylesheet" href="drawing.css">
<script defer src="search-index.js"></script>
<script defer src="page.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="home" href="index.html">Dentarium</a>
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-describedby="search-help">
<p id="search-help">States, events, guards, delays, ports and paths of all machines. Shortcut: /</p>
<p id="search-count" role="status"></p>
<ul id="search-results" class="results" aria-label="Search" hidden></ul>
</search>
</header>
<nav class="machines" aria-label="All machines">
<ul>
<li><a href="index.html"${page === 'index' ? html` aria-current="page"` : null}>All machines</a></li>
${machines.map(
  ({ id, name }) =>
    html`<li><a href="${id}.html"${page === id ? html` aria-current="page"` : null}>${name}</a></li>
`,
)}</ul>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text;
