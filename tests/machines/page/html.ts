/** Text as it may stand in markup and in attributes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Markup that is whole: it is not escaped again. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Markup | null | false | readonly Piece[];

const textOf = (piece: Piece): string => {
  if (piece === null || piece === false) return '';
  if (piece instanceof Markup) return piece.text;
  return typeof piece === 'object' ? piece.map(textOf).join('') : escaped(String(piece));
};

/** Markup with values in it, which are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(
    strings.map((string, index) => `${string}${index < pieces.length ? textOf(pieces[index] ?? null) : ''}`).join(''),
  );

/** An id for the address of a thing on its page. */
export const anchorOf = (kind: string, name: string): string => `${kind}-${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
