import { createAwsUploads } from './aws-uploads.ts';
import type { Call, WithBearer } from './call.ts';
import { createSemaphore } from './semaphore.ts';
import { createUploads } from './uploads.ts';
import { xhrPut } from './xhr-put.ts';
import { xhrSend, xhrSendBytes } from './xhr-send.ts';

/** Browsers open six HTTP/1.1 connections per host; other calls need some of them. */
const maxConcurrentRequests = 4;

/** Creates the uploads to archive and object store; this module is loaded at the first upload. */
export const createUploaders = (deps: { origin: string; call: Call; withBearer: WithBearer }) => ({
  toArchive: createUploads({
    ...deps,
    semaphore: createSemaphore(maxConcurrentRequests),
    sendMultipart: xhrSend,
    sendBytes: xhrSendBytes,
  }),
  toObjectStore: createAwsUploads({
    call: deps.call,
    sendPart: xhrPut,
    semaphore: createSemaphore(maxConcurrentRequests),
  }),
});
