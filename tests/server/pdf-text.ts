import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly head: string;
  readonly stream: string | null;
}

const objectsOf = (pdf: Buffer): Map<string, PdfObject> => {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)endobj/g)) {
    const [, id = '', body = ''] = match;
    const at = body.indexOf('stream\n');
    if (at < 0) {
      objects.set(id, { head: body, stream: null });
      continue;
    }
    const head = body.slice(0, at);
    const bytes = Buffer.from(body.slice(at + 7, body.lastIndexOf('endstream')), 'latin1');
    const stream = /FlateDecode/.test(head) ? inflateSync(bytes) : bytes;
    objects.set(id, { head, stream: stream.toString('latin1') });
  }
  return objects;
};

const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');

/** Glyph -> text, from a ToUnicode map as pdfkit writes it. */
const glyphsOf = (map: string): Map<number, string> => {
  const glyphs = new Map<number, string>();
  for (const [, start = '', , list = ''] of map.matchAll(/<([\da-f]+)> <([\da-f]+)> \[([^\]]*)\]/gi))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\da-f ]+)>/gi)].entries())
      glyphs.set(Number.parseInt(start, 16) + index, utf16(hex.replaceAll(' ', '')));
  return glyphs;
};

/** Returns the lines of each page of a PDF of the archive, in the order in which they were written. */
export const pdfPages = (pdf: Buffer): string[][] => {
  const objects = objectsOf(pdf);
  const find = (reference: string | undefined) => objects.get(reference ?? '') ?? { head: '', stream: null };
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(head));
  return pages.map(({ head }) => {
    const content = find(/\/Contents (\d+) 0 R/.exec(head)?.[1]).stream ?? '';
    const resources = find(/\/Resources (\d+) 0 R/.exec(head)?.[1]).head || head;
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id]) => {
        const map = find(/\/ToUnicode (\d+) 0 R/.exec(find(id).head)?.[1]).stream ?? '';
        return [name, glyphsOf(map)] as const;
      }),
    );
    const lines: string[] = [];
    let glyphs = new Map<number, string>();
    for (const [whole, font, shown = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (whole.endsWith('Tf')) glyphs = fonts.get(font ?? '') ?? new Map();
      else {
        const hex = [...shown.matchAll(/<([\da-f]+)>/gi)].map(([, codes = '']) => codes).join('');
        lines.push(
          (hex.match(/.{4}/g) ?? []).map((code) => glyphs.get(Number.parseInt(code, 16)) ?? '\uFFFD').join(''),
        );
      }
    }
    return lines;
  });
};

/** Returns the size of each page in points and its drawing operators. */
export const pdfContents = (pdf: Buffer): { readonly mediaBox: readonly number[]; readonly content: string }[] => {
  const objects = objectsOf(pdf);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(head));
  return pages.map(({ head }) => ({
    mediaBox: (/\/MediaBox \[([^\]]*)\]/.exec(head)?.[1] ?? '').split(' ').map(Number),
    content: objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '')?.stream ?? '',
  }));
};
