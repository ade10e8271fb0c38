/** Escapes text for markup and attributes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Markup that is not escaped again. */
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

/** Builds markup; values are escaped unless they are markup. */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(
    strings.map((string, index) => `${string}${index < pieces.length ? textOf(pieces[index] ?? null) : ''}`).join(''),
  );

/** Returns the id of an element for links. */
export const anchorOf = (kind: string, name: string): string => `${kind}-${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
