/** Scripts that are set correctly by one glyph after another, from left to right. */
const setScripts = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]$/u;

/** Stands for a character that cannot be printed. */
export const replacement = '\uFFFD';

interface FontOfDocument {
  readonly _font: { readonly font: { readonly hasGlyphForCodePoint: (code: number) => boolean } };
}

/** Replaces characters that the current font of a document lacks (PDF/A forbids them), or that would be set in the wrong order. */
export const printableText = (document: PDFKit.PDFDocument, text: string): string =>
  [...text.normalize('NFC')]
    .map((character) => {
      const { font } = (document as unknown as FontOfDocument)._font;
      const hasGlyph = font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
      return character === '\n' || (setScripts.test(character) && hasGlyph) ? character : replacement;
    })
    .join('');
