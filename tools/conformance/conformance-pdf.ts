import { readFileSync } from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';
import type { Browser } from 'playwright';

const statement = path.join(import.meta.dirname, '../../docs/dicom-conformance.md');

const style = `@page { size: A4; margin: 18mm 15mm }
body { font: 9.5pt/1.4 system-ui, sans-serif; color: #111 }
h1 { font-size: 18pt } h2 { font-size: 13pt; margin-top: 1.6em } h3 { font-size: 11pt } h1, h2, h3 { break-after: avoid }
table { border-collapse: collapse; width: 100%; margin: 0.6em 0 } tr { break-inside: avoid }
th, td { border: 0.5pt solid #999; padding: 2pt 4pt; text-align: left; vertical-align: top; overflow-wrap: anywhere }
code { font: 8.5pt ui-monospace, monospace }`;

/** Pages of other documents are not beside a PDF: their links become text. */
const withoutPageLinks = (html: string): string => html.replace(/<a href="(?!https?:|#)[^"]*">(.*?)<\/a>/g, '$1');

const footer = `<div style="font: 7pt sans-serif; width: 100%; text-align: center">
  DICOM conformance statement, Dentarium. Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>`;

/** Returns docs/dicom-conformance.md as a PDF on A4, drawn by a browser. */
export const conformancePdf = async (browser: Browser): Promise<Buffer> => {
  const content = withoutPageLinks(await marked(readFileSync(statement, 'utf8')));
  const page = await browser.newPage();
  try {
    await page.setContent(`<!doctype html><html lang="en"><head><meta charset="utf-8">
      <title>DICOM conformance statement</title><style>${style}</style></head><body>${content}</body></html>`);
    const options = { displayHeaderFooter: true, headerTemplate: '<span></span>', footerTemplate: footer };
    return await page.pdf({ preferCSSPageSize: true, tagged: true, ...options });
  } finally {
    await page.close();
  }
};
