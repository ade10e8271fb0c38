import type { DicomJson } from '../../dicom/dicom-json.ts';
import type { DataSet } from '../../dicom/write/data-set.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

export interface ReceivedPart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Splits a body of `multipart/related` by the boundary of its first line. */
export const partsOf = (body: Buffer): ReceivedPart[] => {
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  const parts: ReceivedPart[] = [];
  let at = boundary.length + 2;
  for (;;) {
    const separator = Buffer.concat([Buffer.from('\r\n'), boundary]);
    const end = body.indexOf(separator, at);
    if (end < 0) return parts;
    const headerEnd = body.indexOf('\r\n\r\n', at);
    const lines = body.subarray(at, headerEnd).toString('latin1').split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    parts.push({ headers: Object.fromEntries(headers), body: body.subarray(headerEnd + 4, end) });
    at = end + separator.length + 2;
  }
};

/** DICOMweb calls of an archive, by default as the doctor of the first clinic. */
export const dicomWebOf = (archive: ArchiveUnderTest, customerId = archive.clinics.customerId) => {
  let patients = 0;

  const call = (path: string, init: RequestInit & { as?: string } = {}) =>
    archive.call(`/dicomweb/${customerId}${path}`, init);

  const json = async (path: string, init: RequestInit & { as?: string } = {}): Promise<DicomJson[]> => {
    const reply = await call(path, init);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };

  const body = async (path: string, accept?: string): Promise<Buffer> => {
    const reply = await call(path, accept === undefined ? {} : { headers: { accept } });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return Buffer.from(await reply.arrayBuffer());
  };

  /** Imports files for a new patient, and waits until searches know their attributes. */
  const addPatient = async (
    patient: Partial<Parameters<ArchiveUnderTest['addPatient']>[0]>,
    files: readonly Uint8Array[],
  ): Promise<string> => {
    patients += 1;
    const personalNumber = `19700101-${2000 + patients}`;
    const patientId = await archive.addPatient({ customerId, personalNumber, ...patient });
    await archive.importAll(patientId, Object.fromEntries(files.map((bytes, index) => [`${index}.dcm`, bytes])));
    await archive.archive.attributes.idle();
    return patientId;
  };

  return { call, json, body, addPatient };
};

/** A small image with UIDs below one root: study `.1`, series `.1.1`, instances `.1.1.1` and so on. */
export const objectAt = (root: string, changes: DataSet = {}, number = 1, syntax?: string): Uint8Array =>
  smallObject(
    {
      StudyInstanceUID: `${root}.1`,
      SeriesInstanceUID: `${root}.1.1`,
      SOPInstanceUID: `${root}.1.1.${number}`,
      InstanceNumber: number,
      ...changes,
    },
    syntax,
  );

/** The first values of attributes by tag. */
export const valuesOf = (matches: readonly DicomJson[], tag: string): unknown[] =>
  matches.map((match) => match[tag]?.Value?.[0] ?? null);
