import { createAwsUploads } from '../services/aws-uploads.ts';
import type { Call, WithBearer } from '../services/call.ts';
import { createTurns } from '../services/turns.ts';
import { createUploads } from '../services/uploads.ts';
import { xhrPut } from '../services/xhr-put.ts';
import { xhrSend, xhrSendBytes } from '../services/xhr-send.ts';

/** Requests with files of imports on their way at a time. Browsers open six connections to an address; the other calls need some. */
const atATime = 4;

/** The ways of files to the archive and to its object store: fetched with the first upload, so that the sign-in page does not carry them. */
export const createSending = (deps: { origin: string; call: Call; withBearer: WithBearer }) => ({
  toArchive: createUploads({
    ...{ ...deps, turns: createTurns(atATime) },
    ...{ sendMultipart: xhrSend, sendBytes: xhrSendBytes },
  }),
  toObjectStore: createAwsUploads({ call: deps.call, sendPart: xhrPut, turns: createTurns(atATime) }),
});
