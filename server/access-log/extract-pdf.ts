import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import PDFDocument from 'pdfkit';
import { stockholmTime } from '../domain/stockholm-time.ts';
import { pdfFonts } from '../web/pdf-fonts.ts';
import { printableText } from '../web/printable-text.ts';
import { type Extract, type ExtractLine, periodOf } from './extract.ts';

/** In points; A4 is 595 by 842. */
const margin = { left: 40, right: 40, top: 44, bottom: 56 };
const gap = 8;
const columns = [
  { key: 'time', width: 97 },
  { key: 'who', width: 100 },
  { key: 'role', width: 100 },
  { key: 'unit', width: 96 },
  { key: 'did', width: 122 },
] as const satisfies readonly { readonly key: keyof ExtractLine; readonly width: number }[];
const size = { title: 15, text: 9, row: 8 };
const ink = { strong: '#111111', dimmed: '#555555', line: '#bbbbbb' };

const createPaper = ({ words, patient, madeAt, madeBy, ...period }: Extract) => {
  const document = new PDFDocument({
    size: 'A4',
    margins: { ...margin, bottom: 0 },
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    // Otherwise Helvetica, which is not embedded, is the font of the document.
    font: pdfFonts.plain,
    displayTitle: true,
    lang: words.language,
    // The title contains no patient name: it appears in window titles and recent-file lists of shared workstations.
    info: { Title: words.text('extractTitle'), Creator: 'Dentarium', CreationDate: madeAt },
  });
  document.registerFont('plain', pdfFonts.plain).registerFont('bold', pdfFonts.bold);
  const right = 595.28 - margin.right;
  const lowest = 841.89 - margin.bottom;
  let pages = 0;
  let y: number = margin.top;

  const rule = () => {
    document.moveTo(margin.left, y).lineTo(right, y).lineWidth(0.5).stroke(ink.line);
  };

  /** Draws one row of cells and returns its height. */
  const cells = (texts: readonly string[], isHead: boolean): void => {
    document
      .font(isHead ? 'bold' : 'plain')
      .fontSize(size.row)
      .fillColor(ink.strong);
    const placed = columns.map(({ width }, index) => ({
      text: printableText(document, texts[index] ?? ''),
      width: width - gap,
    }));
    const height = Math.max(...placed.map(({ text, width }) => document.heightOfString(text || ' ', { width })));
    if (!isHead && y + height + 6 > lowest) startPage();
    document
      .font(isHead ? 'bold' : 'plain')
      .fontSize(size.row)
      .fillColor(ink.strong);
    let x: number = margin.left;
    for (const [index, { text, width }] of placed.entries()) {
      document.text(text, x, y + 3, { width, lineBreak: true });
      x += columns[index]?.width ?? 0;
    }
    y += height + 6;
    rule();
  };

  const head = () =>
    cells(
      (['time', 'extractWho', 'extractRole', 'extractUnit', 'extractDid'] as const).map((key) => words.text(key)),
      true,
    );

  const foot = () => {
    document.font('plain').fontSize(size.row).fillColor(ink.dimmed);
    const at = 841.89 - margin.bottom + 20;
    const made = words.text('extractMadeBy', { time: stockholmTime(madeAt), name: madeBy });
    document.text(printableText(document, `${words.text('extractTitle')}. ${made}`), margin.left, at, {
      width: 420,
      height: 12,
      ellipsis: true,
    });
    const page = words.text('extractPage', { page: String(pages) });
    document.text(page, right - 90, at, { width: 90, align: 'right', height: 12 });
  };

  function startPage(): void {
    document.addPage();
    pages += 1;
    foot();
    y = margin.top;
    if (pages > 1) head();
  }

  const fact = (label: string, value: string) => {
    document.font('plain').fontSize(size.text).fillColor(ink.dimmed).text(label, margin.left, y, { width: 110 });
    document.fillColor(ink.strong);
    document.text(printableText(document, value), margin.left + 118, y, { width: right - margin.left - 118 });
    y = Math.max(document.y, y + 12) + 2;
  };

  const title = () => {
    startPage();
    document.font('bold').fontSize(size.title).fillColor(ink.strong).text(words.text('extractTitle'), margin.left, y);
    y = document.y + 2;
    document.font('plain').fontSize(size.text).fillColor(ink.dimmed).text(words.text('extractLaw'), margin.left, y);
    y = document.y + 12;
    fact(words.text('clinic'), patient.customer_name);
    fact(words.text('patient'), patient.name);
    fact(words.text('extractPersonalNumber'), patient.personal_number);
    fact(words.text('extractPeriod'), periodOf({ ...period, words }));
    fact(words.text('extractMade'), words.text('extractMadeBy', { time: stockholmTime(madeAt), name: madeBy }));
    y += 6;
    document.font('plain').fontSize(size.row).fillColor(ink.dimmed).text(words.text('extractTimes'), margin.left, y);
    y = document.y + 4;
    document.text(words.text('extractWords'), margin.left, y, { width: right - margin.left });
    y = document.y + 8;
    head();
  };

  const end = (entries: number) => {
    if (y + 30 > lowest) startPage();
    document.font('plain').fontSize(size.text).fillColor(ink.strong);
    document.text(words.text('extractEnd', { entries: String(entries) }), margin.left, y + 10, { width: 500 });
    document.end();
  };

  return {
    document,
    title,
    row: (line: ExtractLine) =>
      cells(
        columns.map(({ key }) => line[key]),
        false,
      ),
    end,
  };
};

/** Pauses writing while more than this many bytes are buffered for a slow client. */
const maxWaiting = 262_144;

/** Streams the extract as PDF/A-2b on A4, page by page. An error on the way destroys the stream. */
export const pdfExtract = (extract: Extract, lines: AsyncIterable<readonly ExtractLine[]>): Readable => {
  const paper = createPaper(extract);
  const out = new PassThrough({ highWaterMark: maxWaiting });
  paper.document.pipe(out);
  const write = async () => {
    paper.title();
    let entries = 0;
    for await (const some of lines) {
      for (const line of some) paper.row(line);
      entries += some.length;
      if (out.destroyed) return;
      if (out.writableNeedDrain) await Promise.race([once(out, 'drain'), once(out, 'close')]);
    }
    paper.end(entries);
  };
  write().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  return out;
};
