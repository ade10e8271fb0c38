import { allowedExtensions } from '../../../contract/imports.ts';

/** What the file dialog offers first. Files without an ending (many DICOM exports) are chosen as "all files" or as a folder. */
export const fileAccept = [...allowedExtensions.map((extension) => `.${extension}`), 'application/dicom'].join(',');
