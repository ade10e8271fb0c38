/** A part of a request of metadata and bulk data. */
export interface DescribedPart {
  readonly contentType: string;
  readonly location: string | null;
  readonly bytes: Uint8Array;
}

export const describedType = 'multipart/related; type="application/dicom+json"; boundary=b1';

/** The body of a request of metadata and bulk data (PS3.18 10.5.1). */
export const describedBody = (parts: readonly DescribedPart[]): Buffer<ArrayBuffer> => {
  const pieces = parts.flatMap(({ contentType, location, bytes }) => {
    const place = location === null ? '' : `Content-Location: ${location}\r\n`;
    return [`--b1\r\nContent-Type: ${contentType}\r\n${place}\r\n`, bytes, '\r\n'];
  });
  return Buffer.concat([...pieces, '--b1--\r\n'].map((piece) => Buffer.from(piece as string)));
};
