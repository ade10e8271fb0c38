import type { DicomJson } from '../../../dicom/dicom-json.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { fileMeta } from '../../../dicom/write/file-meta.ts';
import { bulkUrisOf, type FilePiece, jsonElements } from '../../../dicom/write/json-elements.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { ObjectSender } from '../../imports/receive-object.ts';
import { type FileBatch, StorageError, type StoredFile } from '../../storage/file-store.ts';
import { freeChunk } from '../../storage/free-chunk.ts';
import { type RelatedPart, textOf } from '../../web/multipart.ts';
import type { ObjectUids } from './object-uids.ts';
import { pixelSyntaxOf } from './pixel-syntax.ts';
import {
  type FailureReason,
  failureReasons,
  refused,
  type StoreDependencies,
  type StoreOutcome,
  storeObject,
} from './store-object.ts';

/** All metadata of a request together are in memory. */
const maxMetadataBytes = 2 ** 24;
/** The headers of a codestream: a colour profile may precede its size. */
const maxHeadBytes = 2 ** 20;
const pixelData = '7FE00010';
const octets = 'application/octet-stream';

/** Values that wait on the disk for the instances that refer to them. */
interface Bulk {
  readonly mediaType: string;
  readonly transferSyntax: string | null;
  readonly batch: FileBatch;
  readonly stored: StoredFile;
}

interface Described {
  readonly json: DicomJson;
  readonly uids: ObjectUids;
  readonly uris: ReadonlySet<string>;
  readonly missing: Set<string>;
}

const isInvalid = (error: unknown): boolean =>
  [TypeError, RangeError, SyntaxError, DicomProblem].some((kind) => error instanceof kind);

/** Returns the transfer syntax that a media type names. */
const syntaxNamedBy = (mediaType: string): string | null =>
  /;[ \t]*transfer-syntax[ \t]*=[ \t]*"?([0-9.]{1,64})/i.exec(mediaType)?.[1] ?? null;

/** Null, which is no instance, for what is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is DicomJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const uidsOf = (json: DicomJson): ObjectUids => {
  const uid = (tag: string): string | null => {
    const value: unknown = isObject(json[tag]) ? (json[tag] as { Value?: unknown }).Value : null;
    const [text] = Array.isArray(value) ? value : [];
    return typeof text === 'string' && /^[0-9.]{1,64}$/.test(text) ? text : null;
  };
  return {
    sopClassUid: uid('00080016'),
    sopInstanceUid: uid('00080018'),
    studyInstanceUid: uid('0020000D'),
    seriesInstanceUid: uid('0020000E'),
  };
};

const headOf = async ({ batch, stored }: Bulk): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of batch.read(stored)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxHeadBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxHeadBytes);
};

/** Returns the attribute with the pixels, of whatever kind. */
const pixelsIn = (json: DicomJson) => json[pixelData] ?? json['7FE00008'] ?? json['7FE00009'];

/** Pixels of more than a byte are words (PS3.5 A.2); those of JSON may be of a compressed image. */
const withPixelVr = (json: DicomJson): DicomJson => {
  const pixels = json[pixelData];
  if (!pixels) return json;
  const vr = Number(json['00280100']?.Value?.[0]) > 8 ? 'OW' : 'OB';
  return { ...json, [pixelData]: { ...pixels, vr } };
};

/** Reads a request of metadata (JSON, PS3.18 annex F) and bulk data, and stores each instance as soon as all its values are there (PS3.18 10.5.1). */
export const createDescribedStore = (deps: StoreDependencies, sender: ObjectSender, studyUid: string | undefined) => {
  const { files, limits } = deps;
  const bulks = new Map<string, Bulk>();
  const waiting = new Map<string, Set<Described>>();
  const outcomes: StoreOutcome[] = [];
  let metadataBytes = 0;
  let described = 0;

  const fail = (uids: ObjectUids | null, reason: FailureReason = failureReasons.notUnderstood): void => {
    outcomes.push(refused(uids, reason));
  };

  const syntaxOf = async (json: DicomJson): Promise<string> => {
    const pixels = pixelsIn(json);
    const bulk = bulks.get(pixels?.BulkDataURI ?? '');
    if (bulk) {
      const { mediaType, transferSyntax, stored } = bulk;
      return pixelSyntaxOf(json, { mediaType, transferSyntax, head: await headOf(bulk), length: stored.sizeBytes });
    }
    if (pixels?.InlineBinary === undefined) return transferSyntaxes.explicitLittleEndian;
    const length = Buffer.from(pixels.InlineBinary, 'base64').length;
    return pixelSyntaxOf(json, { mediaType: octets, transferSyntax: null, head: new Uint8Array(0), length });
  };

  async function* bytesOf(pieces: readonly FilePiece[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield Uint8Array.from(piece);
      else {
        const bulk = bulks.get(piece.uri);
        if (bulk) yield* bulk.batch.read(bulk.stored);
      }
    }
  }

  /** @throws what `isInvalid` names */
  const fileOf = async ({ json, uids }: Described): Promise<readonly FilePiece[]> => {
    const syntax = await syntaxOf(json);
    const isEncapsulated = syntax !== transferSyntaxes.explicitLittleEndian;
    if (isEncapsulated && !json[pixelData]) throw new TypeError('float pixels are not compressed');
    const lengthOf = (uri: string) => bulks.get(uri)?.stored.sizeBytes ?? 0;
    const meta = fileMeta(uids.sopClassUid ?? '', uids.sopInstanceUid ?? '', syntax);
    return [...meta, ...jsonElements(withPixelVr(json), { lengthOf, isEncapsulated })];
  };

  /** Frees the values for which no other instance waits. */
  const leave = async (instance: Described): Promise<void> => {
    for (const uri of instance.uris) {
      const others = waiting.get(uri);
      others?.delete(instance);
      if (others?.size !== 0) continue;
      waiting.delete(uri);
      await bulks.get(uri)?.batch.discard();
      bulks.delete(uri);
    }
  };

  const store = async (instance: Described): Promise<void> => {
    const pieces = await fileOf(instance).catch((error: unknown) => {
      if (!isInvalid(error)) throw error;
      return null;
    });
    if (pieces === null) fail(instance.uids);
    else outcomes.push(await storeObject(deps, sender, bytesOf(pieces), studyUid));
    await leave(instance);
  };

  const ensureRoom = (count: number): void => {
    if (count > limits.filesPerImport)
      throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: limits.filesPerImport } }]);
  };

  /** Returns an instance of the metadata; null for what is none, which is refused. */
  const describedIn = (json: unknown): Described | null => {
    const uids = isObject(json) ? uidsOf(json) : null;
    try {
      if (isObject(json) && uids?.sopClassUid && uids.sopInstanceUid && uids.studyInstanceUid) {
        const uris = bulkUrisOf(json);
        return { json, uids, uris, missing: new Set([...uris].filter((uri) => !bulks.has(uri))) };
      }
    } catch (error) {
      if (!isInvalid(error)) throw error;
    }
    fail(uids);
    return null;
  };

  const addMetadata = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
    const text = await textOf(body, maxMetadataBytes - metadataBytes);
    metadataBytes += Buffer.byteLength(text);
    const json = parsed(text);
    const all = Array.isArray(json) ? json : [json];
    described += all.length;
    ensureRoom(described);
    const instances = all.flatMap((one) => describedIn(one) ?? []);
    // Before the first is stored, so that a value which several share stays.
    for (const instance of instances)
      for (const uri of instance.uris) waiting.set(uri, (waiting.get(uri) ?? new Set()).add(instance));
    for (const instance of instances) if (instance.missing.size === 0) await store(instance);
  };

  /** Instances whose values do not fit on the disk. */
  const refuseAt = async (location: string): Promise<void> => {
    const instances = [...(waiting.get(location) ?? [])];
    if (instances.length === 0) fail(null, failureReasons.outOfResources);
    for (const instance of instances) {
      fail(instance.uids, failureReasons.outOfResources);
      await leave(instance);
    }
  };

  const addBulk = async ({ contentType, location, body }: RelatedPart): Promise<void> => {
    // Without an address, or with one that is there already, nothing can refer to it.
    if (location === null || bulks.has(location)) return fail(null);
    ensureRoom(bulks.size + 1);
    const batch = files.batch();
    const stored = await batch.add(body, limits.fileBytes, { free: freeChunk }).catch(async (error: unknown) => {
      await batch.discard();
      if (!(error instanceof StorageError) || !['full', 'too-large'].includes(error.code)) throw error;
      return null;
    });
    if (stored === null) return refuseAt(location);
    const [mediaType = ''] = (contentType ?? octets).toLowerCase().split(/[ \t]*;/);
    bulks.set(location, { mediaType, transferSyntax: syntaxNamedBy(contentType ?? ''), batch, stored });
    for (const instance of [...(waiting.get(location) ?? [])]) {
      instance.missing.delete(location);
      if (instance.missing.size === 0) await store(instance);
    }
  };

  return {
    outcomes,
    add: (part: RelatedPart): Promise<void> =>
      /^application\/dicom\+json[ \t]*(;|$)/i.test(part.contentType ?? '') ? addMetadata(part.body) : addBulk(part),
    /** Refuses instances whose values have not come, and values to which nothing refers. */
    end: (): void => {
      for (const { uids } of new Set([...waiting.values()].flatMap((instances) => [...instances]))) fail(uids);
      for (const uri of bulks.keys()) if (!waiting.has(uri)) fail(null);
    },
    /** Removes what is left on the disk. */
    close: async (): Promise<void> => {
      for (const { batch } of bulks.values()) await batch.discard();
    },
  };
};
