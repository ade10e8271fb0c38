import { z } from 'zod';
import { uuid } from './bounds.ts';
import { route, signedIn } from './route.ts';

/** The name of one object of an import, below its directory. The archive gives it: it tells nothing of the file's own name. */
const awsFileName = z.string().min(1).max(1024);
const part = z.object({ number: z.number().int().min(1).max(10_000), url: z.url() });

/**
 * Opens the upload of one file straight to the object store, in parts of `partBytes` (the last may be smaller), each PUT to its presigned URL. The
 * same `key` (the sender's own name of the upload) again finds the upload as it stands: only what is missing has a URL. `awsFileName` names the
 * object, `awsDirectroryKey` all objects of the import.
 */
export const awsBegin = route({
  method: 'POST',
  path: '/resource/ImageImport/aws/begin',
  access: signedIn,
  body: z.strictObject({
    id: uuid,
    key: uuid,
    path: z.string().min(1).max(1024),
    sizeBytes: z.number().int().min(0),
  }),
  reply: z.object({
    awsFileName,
    awsDirectroryKey: z.string(),
    partBytes: z.number().int(),
    missing: z.array(part),
    /** Bytes that the object store has already. */
    receivedBytes: z.number().int(),
    /** It is complete, and stands in the ledger. */
    fileId: uuid.nullable(),
  }),
});

/** All parts are up: the store puts them together, and the file stands in the ledger. */
export const awsComplete = route({
  method: 'POST',
  path: '/resource/ImageImport/aws/complete',
  access: signedIn,
  body: z.strictObject({ id: uuid, key: uuid }),
  reply: z.object({ fileId: uuid, awsFileName }),
});

/** All files are in the object store: fetch and parse them. */
export const importAwsParse = route({
  method: 'POST',
  path: '/resource/ImageImport/dicom/parse_aws',
  access: signedIn,
  body: z.strictObject({ id: uuid, awsFileName }),
  reply: z.object({ id: uuid }),
});

/** The same for a folder with a DICOMDIR, or a zip. */
export const importAwsDirectoryParse = route({
  method: 'POST',
  path: '/resource/ImageImport/dicomdir/aws_parse',
  access: signedIn,
  body: z.strictObject({ id: uuid, awsDirectroryKey: z.string().min(1).max(1024) }),
  reply: z.object({ id: uuid }),
});
