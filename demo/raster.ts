/** The pixels of one image before packing, row by row from the top left. */
export type Raster =
  | {
      readonly kind: 'grey';
      readonly columns: number;
      readonly rows: number;
      /** Unsigned unless an Int16Array. */
      readonly pixels: Uint16Array | Int16Array;
      readonly bitsStored: 12 | 16;
    }
  | {
      readonly kind: 'colour';
      readonly columns: number;
      readonly rows: number;
      /** R G B R G B ..., 8 bits each. */
      readonly pixels: Uint8Array;
    };
