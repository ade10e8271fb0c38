/** Patient and study of a picture, which the file cannot hold itself. Dates are YYYY-MM-DD, times HH:MM:SS. */
export interface PictureIdentity {
  readonly patient: {
    readonly id: string;
    /** "Family^Given" */
    readonly name: string;
    readonly birthDate: string | null;
    readonly sex: 'M' | 'F' | 'O' | null;
  };
  readonly study: {
    readonly instanceUid: string;
    readonly id: string | null;
    readonly date: string | null;
    readonly time: string | null;
    readonly description: string | null;
    readonly accessionNumber: string | null;
  };
  readonly series: {
    readonly instanceUid: string;
    readonly number: number | null;
    /** For example IO, PX, XC or OT. */
    readonly modality: string;
    readonly description: string | null;
  };
  readonly instance: {
    readonly sopInstanceUid: string;
    readonly number: number | null;
    readonly acquiredDate: string | null;
    readonly acquiredTime: string | null;
  };
}
