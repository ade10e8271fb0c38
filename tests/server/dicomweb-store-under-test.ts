import { randomUUID } from 'node:crypto';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { insertServiceAccount } from '../../server/db/stores/service-accounts.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';

interface RelatedOptions {
  readonly boundary?: string;
  /** What precedes the first boundary. */
  readonly preamble?: string;
  readonly partType?: string | null;
}

/** The body of a multipart/related request. */
export const relatedBody = (
  objects: readonly Uint8Array[],
  { boundary = 'b1', preamble = '', partType = 'application/dicom' }: RelatedOptions = {},
): Buffer<ArrayBuffer> => {
  const head = partType === null ? '\r\n' : `Content-Type: ${partType}\r\n\r\n`;
  const parts = objects.flatMap((bytes) => [`--${boundary}\r\n${head}`, bytes, '\r\n']);
  return Buffer.concat([preamble, ...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part as string)));
};

export const relatedType = 'multipart/related; type="application/dicom"; boundary=b1';

export interface StoreReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Values by the keyword of the standard. */
  readonly stored: readonly (string | undefined)[];
  readonly failed: readonly (readonly [uid: string | undefined, reason: number | undefined])[];
  readonly urls: readonly (string | undefined)[];
  readonly studyUrl: string | undefined;
}

const itemsOf = (json: DicomJson, tag: string) => (json[tag]?.Value ?? []) as readonly DicomJson[];
const first = (json: DicomJson, tag: string) => json[tag]?.Value?.[0];

const storeReply = (status: number, type: string, text: string): StoreReply => {
  const json: DicomJson = type.startsWith('application/dicom+json') ? JSON.parse(text) : {};
  return {
    status,
    type,
    text,
    stored: itemsOf(json, '00081199').map((item) => first(item, '00081155') as string | undefined),
    failed: itemsOf(json, '00081198').map((item) => [
      first(item, '00081155') as string | undefined,
      first(item, '00081197') as number | undefined,
    ]),
    urls: itemsOf(json, '00081199').map((item) => first(item, '00081190') as string | undefined),
    studyUrl: first(json, '00081190') as string | undefined,
  };
};

interface StoreInit extends Omit<RequestInit, 'body'> {
  readonly as?: string;
  readonly type?: string;
  readonly study?: string;
  readonly clinic?: string;
  readonly accept?: string;
}

/** Store requests of an archive, by default as the doctor of the first clinic. */
export const storeIn = (archive: ArchiveUnderTest) => {
  const { customerId } = archive.clinics;

  const send = async (body: BodyInit, init: StoreInit = {}): Promise<StoreReply> => {
    const { type = relatedType, study, clinic = customerId, accept, ...rest } = init;
    const place = study === undefined ? '' : `/${study}`;
    const headers = { 'content-type': type, ...(accept === undefined ? {} : { accept }) };
    const reply = await archive.call(`/dicomweb/${clinic}/studies${place}`, { ...rest, method: 'POST', body, headers });
    return storeReply(reply.status, reply.headers.get('content-type') ?? '', await reply.text());
  };

  return {
    send,
    /** Sends objects as parts. */
    store: (objects: readonly Uint8Array[], init: StoreInit = {}) => send(relatedBody(objects), init),
    /** Adds a service account of the first clinic, whose token is its id. */
    addService: async (more: { atOnce?: boolean; scopes?: ('dicomweb.read' | 'dicomweb.write')[] } = {}) => {
      const { atOnce = false, scopes = ['dicomweb.write'] } = more;
      const account = {
        name: 'PACS of the hospital',
        secret: randomUUID(),
        scopes,
        atOnce,
        customerIds: [customerId],
        createdBy: archive.clinics.adminId,
        days: 1,
      };
      const id = await archive.db.transaction().execute((transaction) => insertServiceAccount(transaction, account));
      archive.services.set(id, { serviceAccountId: id, clinics: [customerId], scopes });
      return id;
    },
  };
};
