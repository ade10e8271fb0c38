import { buffer } from 'node:stream/consumers';
import type { PrintRequest } from '../../../contract/print.ts';
import { layoutOf, type PlacedPicture, type PrintLayout, pageMm, rulerMm } from '../../../contract/print-layout.ts';
import type { Sides } from '../../../contract/print-sides.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { stockholmTime } from '../../domain/stockholm-time.ts';
import { createPaper, ink, type Paper } from './paper.ts';
import { captionOf, commonDay, dayText, scaleText, teethText } from './print-captions.ts';
import type { PrintFacts } from './print-facts.ts';
import type { PrintTexts } from './print-texts.ts';

export interface PrintContent {
  readonly request: PrintRequest;
  readonly facts: PrintFacts;
  readonly texts: PrintTexts;
  readonly madeAt: Date;
}

const { margin } = pageMm;
const sideSize = 11;
/** Width of a mark of the side, in millimetres. */
const sideWidth = 8;

/** `YYYY-MM-DD hh:mm` in Europe/Stockholm. */
const minute = (at: Date): string => stockholmTime(at).slice(0, 16);

/** Returns the layout of a print. @throws ProblemError 'invalid-request' when true size is not possible */
export const printLayout = (request: PrintRequest, { mount, pictures }: PrintFacts): PrintLayout => {
  const layout = layoutOf({
    ...request,
    mount,
    pictures: request.pictures.map((picture, index) => ({ ...picture, slot: pictures[index]?.slot ?? null })),
  });
  if ('problem' in layout) throw new ProblemError('invalid-request', [{ fieldKey: 'scale' }]);
  return layout;
};

const drawSides = (
  paper: Paper,
  { left, right }: Sides,
  texts: PrintTexts,
  box: { x: number; y: number; width: number },
) => {
  const style = { font: 'bold', size: sideSize } as const;
  const at = { y: box.y, width: sideWidth, height: 6 };
  if (left) paper.text(texts.text(`side-${left}`), { ...at, x: box.x }, style);
  if (right)
    paper.text(texts.text(`side-${right}`), { ...at, x: box.x + box.width - sideWidth }, { ...style, align: 'right' });
};

const drawHeader = (paper: Paper, layout: PrintLayout, { request, facts, texts }: PrintContent) => {
  const width = layout.widthMm - 2 * margin;
  const half = { width: width / 2 - 2, height: 5 };
  const right = { ...half, x: margin + width / 2 + 2 };
  const { name, personalNumber, protectedIdentity } = facts.patient;
  const day = commonDay(facts);
  const patient = [
    name,
    ...(request.withPersonalNumber ? [personalNumber] : []),
    ...(protectedIdentity ? [texts.text('protectedIdentity')] : []),
  ].join(', ');
  paper.text(facts.clinic, { ...half, x: margin, y: margin }, { size: 9 });
  paper.text(patient, { ...half, x: margin, y: margin + 5 }, { font: 'bold', size: 10 });
  paper.text(facts.mount?.name ?? '', { ...right, y: margin }, { size: 9, align: 'right' });
  if (day !== undefined) paper.text(dayText(day, texts), { ...right, y: margin + 5 }, { size: 9, align: 'right' });
  paper.text(
    scaleText(request, layout.pages, texts),
    { ...half, x: margin, y: margin + 10 },
    { size: 8, colour: ink.dimmed },
  );
  paper.line(margin, margin + 14.5, layout.widthMm - margin, margin + 14.5);
};

const drawFooter = (
  paper: Paper,
  { widthMm, heightMm }: PrintLayout,
  { facts, texts, madeAt }: PrintContent,
  page: number,
) => {
  const y = heightMm - margin - pageMm.footer;
  const width = widthMm - 2 * margin;
  const row = { y: y + 1.5, height: 6.5 };
  paper.line(margin, y, widthMm - margin, y);
  paper.text(texts.text('copy'), { ...row, x: margin, width: width * 0.32 }, { font: 'bold', size: 8.5 });
  paper.text(
    texts.text('printedBy', { time: minute(madeAt), name: facts.madeBy }),
    { ...row, x: margin + width * 0.33, width: width * 0.47 },
    { size: 7.5, align: 'center' },
  );
  paper.text(
    texts.text('page', { page, pages: paper.pages() }),
    { ...row, x: margin + width * 0.81, width: width * 0.19 },
    { size: 7.5, align: 'right' },
  );
  if (!paper.hasReplaced()) return;
  const below = { x: margin, y: y + 5.5, width, height: 2.5 };
  paper.text(texts.text('replaced'), below, { size: 5.5, colour: ink.dimmed });
};

/** Draws a ruler of 50 mm, by which the scale of the paper is checked. */
const drawRuler = (paper: Paper, { heightMm }: PrintLayout) => {
  const y = heightMm - margin - pageMm.footer - 4;
  paper.line(margin, y, margin + rulerMm, y, ink.strong);
  for (let mm = 0; mm <= rulerMm; mm += 5)
    paper.line(margin + mm, y, margin + mm, y - (mm % 10 === 0 ? 3 : 1.5), ink.strong);
  paper.text(`${rulerMm} mm`, { x: margin + rulerMm + 2, y: y - 3, width: 20, height: 4 }, { size: 8 });
};

const drawPicture = (
  paper: Paper,
  { index, picture, caption }: PlacedPicture,
  { request, facts, texts }: PrintContent,
  png: Buffer,
) => {
  const [declared, known] = [request.pictures[index], facts.pictures[index]];
  if (!declared || !known) return;
  paper.image(png, picture);
  const isDayCommon = commonDay(facts) !== undefined;
  const text = captionOf(declared, known, { notation: request.notation, isDayCommon, texts });
  const hasSides = known.sides.left !== null || known.sides.right !== null;
  const inset = hasSides ? sideWidth : 0;
  const box = {
    ...caption,
    x: caption.x + inset,
    y: caption.y + 0.7,
    width: caption.width - 2 * inset,
    height: caption.height - 0.7,
  };
  paper.text(text, box, { size: 7.5, align: 'center' });
  drawSides(paper, known.sides, texts, { ...picture, y: caption.y + 0.7 });
};

/** Sets the signed notes below each other, on as many pages as they need. */
const drawNotes = (paper: Paper, layout: PrintLayout, content: PrintContent) => {
  const { facts, texts, request } = content;
  const { x, width } = layout.content;
  const bottom = layout.content.y + layout.content.height;
  let y = Number.POSITIVE_INFINITY;
  const write = (text: string, style: { size: number; font?: 'bold' }) => {
    const height = paper.heightOf(text, width, style);
    if (y + height > bottom) {
      paper.startPage();
      drawHeader(paper, layout, content);
      y = layout.content.y;
    }
    paper.text(text, { x, y, width, height: height + 1 }, style);
    y += height + 1;
  };
  for (const note of facts.notes) {
    const picture = facts.pictures.find(({ imageId }) => imageId === note.imageId);
    const about = picture
      ? [dayText(picture.day, texts), teethText(picture.teeth, request.notation)].filter(Boolean).join(' · ')
      : texts.text('noteOfMount');
    write(`${texts.text('notesTitle')}: ${about}`, { size: 9, font: 'bold' });
    for (const paragraph of note.text.split('\n')) write(paragraph || ' ', { size: 9 });
    write(texts.text('signedBy', { time: minute(note.at), name: note.author }), { size: 8 });
    y += 4;
  }
};

/** Composes a print as a PDF/A-2b file. `pictures` are PNG, in the order of the request. */
export const composePrint = async (
  content: PrintContent,
  layout: PrintLayout,
  pictures: readonly Buffer[],
): Promise<Buffer> => {
  const { request, facts, texts, madeAt } = content;
  const { widthMm, heightMm } = layout;
  const paper = await createPaper({
    widthMm,
    heightMm,
    language: texts.language,
    title: texts.text('documentTitle'),
    madeAt,
  });
  const file = buffer(paper.document);
  for (const page of layout.pages) {
    paper.startPage();
    drawHeader(paper, layout, content);
    if (facts.mount) drawSides(paper, facts.mount.sides, texts, { ...layout.content, y: layout.content.y - 5.5 });
    if (request.scale === 'true-size') drawRuler(paper, layout);
    for (const placed of page) {
      const png = pictures[placed.index];
      if (!png) throw new Error('A picture of the print is missing');
      drawPicture(paper, placed, content, png);
    }
  }
  drawNotes(paper, layout, content);
  for (let index = 0; index < paper.pages(); index++) {
    paper.toPage(index);
    drawFooter(paper, layout, content, index + 1);
  }
  paper.document.end();
  return file;
};
