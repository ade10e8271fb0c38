import type { BoxMm } from '../../../contract/print-layout.ts';
import { pdfFonts } from '../../web/pdf-fonts.ts';
import { printableText, replacement } from '../../web/printable-text.ts';

/** Points per millimetre. */
const point = 72 / 25.4;

export const ink = { strong: '#000000', dimmed: '#555555', line: '#999999' } as const;

export interface TextStyle {
  readonly font?: keyof typeof pdfFonts;
  /** In points; a text that does not fit its box is set smaller, down to `smallest`. */
  readonly size: number;
  readonly align?: 'left' | 'center' | 'right';
  readonly colour?: string;
}

/** Smallest size of a font in points. */
const smallest = 4;

interface Catalog {
  readonly _root: { readonly data: { readonly ViewerPreferences: { readonly data: Record<string, unknown> } } };
}

export interface PaperOptions {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly language: string;
  /** Without patient data: it appears in window titles and lists of recent files. */
  readonly title: string;
  readonly madeAt: Date;
}

/** A PDF/A-2b document whose lengths are millimetres from the top left corner of the page. */
export interface Paper {
  readonly document: PDFKit.PDFDocument;
  readonly startPage: () => void;
  /** Number of pages so far. */
  readonly pages: () => number;
  /** Draws the next marks on an earlier page, from 0. */
  readonly toPage: (index: number) => void;
  readonly text: (text: string, box: BoxMm, style: TextStyle) => void;
  /** Returns the height of a text in millimetres. */
  readonly heightOf: (text: string, widthMm: number, style: TextStyle) => number;
  readonly line: (fromX: number, fromY: number, toX: number, toY: number, colour?: string) => void;
  readonly image: (png: Buffer, box: BoxMm) => void;
  /** Whether a character was replaced because it cannot be printed. */
  readonly hasReplaced: () => boolean;
}

/** Creates a document that embeds its fonts and that PDF readers print without scaling. */
export const createPaper = async ({ widthMm, heightMm, language, title, madeAt }: PaperOptions): Promise<Paper> => {
  // Loaded at the first print: the server starts sooner.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    size: [widthMm * point, heightMm * point],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    // Otherwise Helvetica, which is not embedded, is the font of the document.
    font: pdfFonts.plain,
    lang: language,
    displayTitle: true,
    info: { Title: title, Creator: 'Dentarium', CreationDate: madeAt },
  });
  document.registerFont('plain', pdfFonts.plain).registerFont('bold', pdfFonts.bold);
  (document as unknown as Catalog)._root.data.ViewerPreferences.data.PrintScaling = 'None';
  let pages = 0;
  let replaced = false;

  const printable = (text: string): string => {
    const printed = printableText(document, text);
    replaced ||= printed.includes(replacement);
    return printed;
  };

  const use = ({ font = 'plain', size }: TextStyle) => document.font(font).fontSize(size);

  const heightOf = (text: string, widthMm: number, style: TextStyle): number => {
    use(style);
    return document.heightOfString(printable(text), { width: widthMm * point }) / point;
  };

  const sizeFor = (text: string, { width, height }: BoxMm, style: TextStyle): number => {
    let size = style.size;
    while (size > smallest && heightOf(text, width, { ...style, size }) > height) size -= 0.5;
    return size;
  };

  return {
    document,
    startPage: () => {
      document.addPage();
      pages += 1;
    },
    pages: () => pages,
    toPage: (index) => void document.switchToPage(index),
    text: (text, box, style) => {
      if (text === '') return;
      use({ ...style, size: sizeFor(text, box, style) });
      document.fillColor(style.colour ?? ink.strong).text(printable(text), box.x * point, box.y * point, {
        width: box.width * point,
        align: style.align ?? 'left',
      });
    },
    heightOf,
    line: (fromX, fromY, toX, toY, colour = ink.line) =>
      void document
        .moveTo(fromX * point, fromY * point)
        .lineTo(toX * point, toY * point)
        .lineWidth(0.6)
        .stroke(colour),
    image: (png, { x, y, width, height }) =>
      void document.image(png, x * point, y * point, { width: width * point, height: height * point }),
    hasReplaced: () => replaced,
  };
};
