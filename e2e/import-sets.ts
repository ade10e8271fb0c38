import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import yazl from 'yazl';
import { uidFrom } from '../dicom/write/uid.ts';
import { PATIENT_PLANS } from '../server/demo/patients.ts';
import { directoryFile } from '../tests/dicom/build-dicom.ts';
import { smallObject } from '../tests/server/small-object.ts';

/** Whom files name; `number` as Patient ID. */
export interface NamedPerson {
  readonly name: string;
  readonly number: string;
  /** YYYYMMDD */
  readonly birthDate: string;
}

/** A patient of the demo clinic as a file names them. */
export const demoPerson = (lastName: string): NamedPerson => {
  const plan = PATIENT_PLANS.find(([, name]) => name === lastName);
  if (!plan) throw new Error(`The demo clinic has no ${lastName}`);
  const [firstName, , birthDate] = plan;
  // The device's own number, which says nothing: name and birth date must do.
  return { name: `${lastName}^${firstName}`, number: 'DEV-77', birthDate: birthDate.replaceAll('-', '') };
};

let made = 0;

/** An intraoral image of a person, never the same twice; `study` names its study. */
export const imageOf = (
  { name, number, birthDate }: NamedPerson,
  study: string,
  index: number,
  side = 8,
): Uint8Array => {
  made += 1;
  const pixels = new Uint16Array(side * side).map((_, place) => (place * 37 + made * 11) % 4096);
  return smallObject({
    ...{ PatientName: name, PatientID: number, PatientBirthDate: birthDate, Rows: side, Columns: side },
    ...{ StudyInstanceUID: uidFrom(study), SeriesInstanceUID: uidFrom(`${study} series`) },
    ...{ SOPInstanceUID: uidFrom(`${study} ${index} ${made}`), InstanceNumber: index + 1, PixelData: pixels },
    ...{ StudyDescription: study, StudyDate: '20260401' },
  });
};

const write = async (folder: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> => {
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
};

/** A disc: DICOMDIR, its images, one that it names and that is not there, and the viewer that such discs bring. */
export const writeDisc = async (folder: string, person: NamedPerson, images = 3): Promise<string> => {
  const name = (index: number) => `IM${String(index + 1).padStart(6, '0')}`;
  const named = Array.from({ length: images + 1 }, (_, index) => `DICOM\\PAT1\\${name(index)}`);
  const files = Array.from({ length: images }, (_, index): [string, Uint8Array] => [
    `DICOM/PAT1/${name(index)}`,
    imageOf(person, `Disc of ${person.name}`, index),
  ]);
  await write(folder, {
    DICOMDIR: directoryFile(named),
    ...Object.fromEntries(files),
    README: 'This disc holds images.',
    'VIEWER/VIEWER.EXE': 'MZ',
  });
  return folder;
};

/** A zip with images of a person, in folders. */
export const writeZip = async (file: string, person: NamedPerson, images = 3): Promise<string> => {
  const zip = new yazl.ZipFile();
  for (let index = 0; index < images; index++)
    zip.addBuffer(Buffer.from(imageOf(person, `Zip of ${person.name}`, index)), `export/${index}.dcm`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  await write(path.dirname(file), { [path.basename(file)]: Buffer.concat(chunks) });
  return file;
};

/** Photographs as a telephone takes them: one lies on its side and says so. */
export const writePictures = async (folder: string, count = 3): Promise<readonly string[]> => {
  const files: string[] = [];
  for (let index = 0; index < count; index++) {
    made += 1;
    const background = { r: 120 + index * 30, g: 60 + (made % 90), b: 50 };
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background } });
    const bytes = await picture
      .withMetadata(index === 1 ? { orientation: 6 } : {})
      .jpeg()
      .toBuffer();
    const name = `IMG_${index}.jpg`;
    await write(folder, { [name]: bytes });
    files.push(path.join(folder, name));
  }
  return files;
};

/** A DICOM file that ends in the middle. */
export const writeBroken = async (file: string, person: NamedPerson): Promise<string> => {
  const whole = imageOf(person, `Broken of ${person.name}`, 0, 32);
  await write(path.dirname(file), { [path.basename(file)]: whole.subarray(0, whole.length - 500) });
  return file;
};

/** A folder of DICOM files without a DICOMDIR. */
export const writeFolder = async (folder: string, person: NamedPerson, images: number, side = 8): Promise<string> => {
  for (let index = 0; index < images; index++)
    await write(folder, { [`img-${index}.dcm`]: imageOf(person, `Folder ${path.basename(folder)}`, index, side) });
  return folder;
};
