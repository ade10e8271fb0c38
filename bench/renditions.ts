import { readDicomFile } from '../dicom/file.ts';
import { describeImage } from '../dicom/image-description.ts';
import { createCodecs } from '../server/dicom/codecs.ts';
import { makeRendition } from '../server/dicom/make-rendition.ts';
import type { Site } from './site.ts';

const codecs = createCodecs();

/** Adds a file and its renditions (`.full` and `.reduced`) to the site. */
export const putWithRenditions = async (site: Site, name: string, bytes: Uint8Array): Promise<string> => {
  const file = readDicomFile(bytes);
  const description = describeImage(file);
  if (!description) throw new Error('the file has no picture');
  for (const level of ['full', 'reduced'] as const) {
    const made = await makeRendition({ file, description }, { frame: 0, level, skipConversion: false }, codecs);
    await site.put(`${name}.dcm.${level}`, made.bytes);
  }
  return site.put(`${name}.dcm`, bytes);
};
