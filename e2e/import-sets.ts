import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import yazl from 'yazl';
import { PATIENT_PLANS } from '../demo/patients.ts';
import { testPersonalNumber } from '../demo/personal-number.ts';
import { uidFrom } from '../dicom/write/uid.ts';
import { directoryFile } from '../tests/dicom/build-dicom.ts';
import { smallObject } from '../tests/server/small-object.ts';

/** Identity in the files; `number` is the Patient ID. */
export interface DemoPatient {
  readonly name: string;
  readonly number: string;
  /** YYYYMMDD */
  readonly birthDate: string;
}

/** Returns the identity of a demo patient as files contain it. */
export const demoPatient = (lastName: string): DemoPatient => {
  const plan = PATIENT_PLANS.find(([, name]) => name === lastName);
  if (!plan) throw new Error(`The demo clinic has no ${lastName}`);
  const [firstName, , birthDate] = plan;
  // A device's own number, so that matching must use name and birth date.
  return { name: `${lastName}^${firstName}`, number: 'DEV-77', birthDate: birthDate.replaceAll('-', '') };
};

/** The same with the personal number of the demo clinic. */
export const numberedPatient = (lastName: string): DemoPatient => {
  const index = PATIENT_PLANS.findIndex(([, name]) => name === lastName);
  const [, , birthDate = '', sex = 'F'] = PATIENT_PLANS[index] ?? [];
  return { ...demoPatient(lastName), number: testPersonalNumber(birthDate, sex, index % 10) };
};

let made = 0;

/** Returns a unique intraoral image of a patient; `study` identifies its study. */
export const imageOf = (
  { name, number, birthDate }: DemoPatient,
  study: string,
  index: number,
  side = 8,
): Uint8Array => {
  made += 1;
  const pixels = new Uint16Array(side * side).map((_, pixel) => (pixel * 37 + made * 11) % 4096);
  return smallObject({
    PatientName: name,
    PatientID: number,
    PatientBirthDate: birthDate,
    Rows: side,
    Columns: side,
    StudyInstanceUID: uidFrom(study),
    SeriesInstanceUID: uidFrom(`${study} series`),
    SOPInstanceUID: uidFrom(`${study} ${index} ${made}`),
    InstanceNumber: index + 1,
    PixelData: pixels,
    StudyDescription: study,
    StudyDate: '20260401',
  });
};

const write = async (folder: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> => {
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
};

/** Writes a disc: DICOMDIR, its images, a listed image that is missing, and a bundled viewer. */
export const writeDisc = async (folder: string, patient: DemoPatient, images = 3): Promise<string> => {
  const name = (index: number) => `IM${String(index + 1).padStart(6, '0')}`;
  const named = Array.from({ length: images + 1 }, (_, index) => `DICOM\\PAT1\\${name(index)}`);
  const files = Array.from({ length: images }, (_, index): [string, Uint8Array] => [
    `DICOM/PAT1/${name(index)}`,
    imageOf(patient, `Disc of ${patient.name}`, index),
  ]);
  await write(folder, {
    DICOMDIR: directoryFile(named),
    ...Object.fromEntries(files),
    README: 'This disc holds images.',
    'VIEWER/VIEWER.EXE': 'MZ',
  });
  return folder;
};

/** Writes a zip with images of a patient in folders. */
export const writeZip = async (file: string, patient: DemoPatient, images = 3): Promise<string> => {
  const zip = new yazl.ZipFile();
  for (let index = 0; index < images; index++)
    zip.addBuffer(Buffer.from(imageOf(patient, `Zip of ${patient.name}`, index)), `export/${index}.dcm`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  await write(path.dirname(file), { [path.basename(file)]: Buffer.concat(chunks) });
  return file;
};

/** Writes photographs as a phone takes them; one has an EXIF rotation. */
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

/** Writes a truncated DICOM file. */
export const writeBroken = async (file: string, patient: DemoPatient): Promise<string> => {
  const whole = imageOf(patient, `Broken of ${patient.name}`, 0, 32);
  await write(path.dirname(file), { [path.basename(file)]: whole.subarray(0, whole.length - 500) });
  return file;
};

/** Writes a folder of DICOM files without a DICOMDIR. */
export const writeFolder = async (folder: string, patient: DemoPatient, images: number, side = 8): Promise<string> => {
  for (let index = 0; index < images; index++)
    await write(folder, { [`img-${index}.dcm`]: imageOf(patient, `Folder ${path.basename(folder)}`, index, side) });
  return folder;
};
