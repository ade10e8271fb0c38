import type { PrintedPicture, PrintRequest } from '../../contract/print.ts';

/** A grey PNG of two by two pixels. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNg+M/Q4AAABUIBwHA2NtYAAAAASUVORK5CYII=',
  'base64',
);

export const printedPicture = (imageUID: string, changes: Partial<PrintedPicture> = {}): PrintedPicture => ({
  imageUID,
  viewsetId: null,
  frame: 1,
  width: 2,
  height: 2,
  spacing: null,
  processing: [],
  turned: false,
  ...changes,
});

export const printRequestOf = (
  pictures: readonly PrintedPicture[],
  changes: Partial<PrintRequest> = {},
): PrintRequest => ({
  language: 'sv',
  notation: 'fdi',
  paper: 'a4',
  scale: 'fit',
  viewset: null,
  pictures: [...pictures],
  withPersonalNumber: true,
  withNotes: false,
  ...changes,
});

/** The form of a print, with the tiny PNG for each picture by default. */
export const printForm = (print: unknown, files: readonly Uint8Array[] = [tinyPng]): FormData => {
  const form = new FormData();
  form.append('print', JSON.stringify(print));
  for (const [index, bytes] of files.entries())
    form.append('files', new Blob([Uint8Array.from(bytes)]), `${index + 1}.png`);
  return form;
};
