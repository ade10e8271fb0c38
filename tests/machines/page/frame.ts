import { type Language, languageNames, languages } from '../../../src/views/language/languages.ts';
import { html, type Markup } from './html.ts';
import { pageWords } from './page-words.ts';

export interface Framed {
  readonly language: Language;
  readonly title: string;
  /** Name of the file without its ending; the same in every language. */
  readonly page: string;
  /** What leads to the other pages. */
  readonly machines: readonly { readonly id: string; readonly name: string }[];
  readonly main: Markup;
}

/** BCP 47 of a language: ours is written Bokmål. */
export const tagOf = (language: Language): string => (language === 'no' ? 'nb' : language);

/** A whole page, as it is written to a file. */
export const pageOf = ({ language, title, page, machines, main }: Framed): string => {
  const words = pageWords[language];
  return html`<!doctype html>
<html lang="${tagOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="../page.css">
<link rel="stylesheet" href="../drawing.css">
<script defer src="search-index.js"></script>
<script defer src="../page.js"></script>
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header>
<a class="home" href="index.html">Dentarium</a>
<search>
<label for="search">${words.search}</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-describedby="search-help">
<p id="search-help">${words.searchHelp}</p>
<p id="search-count" role="status" data-one="${words.found.one}" data-other="${words.found.other}" data-none="${words.nothingFound}"></p>
<ul id="search-results" class="results" aria-label="${words.search}" hidden></ul>
</search>
<nav class="languages" aria-label="${words.language}">
${languages.map(
  (one) =>
    html`<a href="../${one}/${page}.html" lang="${tagOf(one)}" hreflang="${tagOf(one)}" data-language="${one}"${one === language ? html` aria-current="true"` : null}>${languageNames[one]}</a> `,
)}
</nav>
</header>
<nav class="machines" aria-label="${words.allMachines}">
<ul>
<li><a href="index.html"${page === 'index' ? html` aria-current="page"` : null}>${words.allMachines}</a></li>
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
};

/** The first page: leads on to a language. */
export const doorOf = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageWords.en.title}</title>
<link rel="stylesheet" href="page.css">
<script defer src="page.js"></script>
</head>
<body class="door" data-languages="${languages.join(' ')}">
<main id="main">
<h1>Dentarium</h1>
<ul>
${languages.map(
  (one) =>
    html`<li lang="${tagOf(one)}"><a href="${one}/index.html">${languageNames[one]}: ${pageWords[one].title}</a></li>
`,
)}</ul>
</main>
</body>
</html>
`.text;
