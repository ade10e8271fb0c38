/** The parts of fontkit 2 that this server uses; the package has no types. */
declare module 'fontkit' {
  export interface GlyphRun {
    readonly advanceWidth: number;
    readonly glyphs: readonly { readonly path: { toSVG(): string } }[];
    readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
  }

  export interface Font {
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    layout(text: string): GlyphRun;
  }

  export function openSync(path: string): Font;
}
