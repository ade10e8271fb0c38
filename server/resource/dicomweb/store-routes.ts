import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dicomWebStore, dicomWebStoreStudy } from '../../../contract/dicomweb.ts';
import { accountById } from '../../db/stores/account-store.ts';
import { isCustomer } from '../../db/stores/customer-store.ts';
import { serviceAccountById } from '../../db/stores/service-accounts.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { ObjectSender } from '../../imports/receive-object.ts';
import { bind } from '../../route-binding.ts';
import { drainRequest } from '../../web/drain-request.ts';
import { readRelatedParts } from '../../web/multipart.ts';
import { requestChunks } from '../../web/request-chunks.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { acceptedBy, chosenBy, jsonTypeFor, type MediaRange } from './accept.ts';
import { rootOf } from './dependencies.ts';
import { createDescribedStore } from './store-described.ts';
import { type StoreOutcome, storeObject } from './store-object.ts';
import { storeJson, storeStatus, storeXml, xmlTypeFor } from './store-reply.ts';

const dicom = 'application/dicom';
const related = 'multipart/related';

/** Answered with the status 415. */
class UnsupportedMediaType extends Error {
  readonly statusCode = 415;
}

/** Returns the parameter of a media type, with or without quotes. */
const parameterOf = (mediaType: string, name: string): string | null => {
  const match = new RegExp(`;[ \\t]*${name}[ \\t]*=[ \\t]*(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, 'i').exec(mediaType);
  return match?.[1] ?? match?.[2] ?? null;
};

const isDescribed = (mediaType: string): boolean =>
  /^multipart\/related/i.test(mediaType) && /^application\/dicom\+json$/i.test(parameterOf(mediaType, 'type') ?? '');

const isDicom = (mediaType: string): boolean => /^application\/dicom[ \t]*(;|$)/i.test(mediaType);

/** @throws ProblemError 'invalid-request' */
const partsIn = (request: FastifyRequest, mediaType: string) => {
  const boundary = parameterOf(mediaType, 'boundary');
  if (boundary === null) throw new ProblemError('invalid-request', [{ fieldKey: 'request' }]);
  return readRelatedParts(requestChunks(request.raw), boundary);
};

/** Yields the objects of a request one by one. @throws ProblemError 'invalid-request'; UnsupportedMediaType */
async function* objectsIn(request: FastifyRequest): AsyncGenerator<AsyncIterable<Uint8Array>, void> {
  const type = request.headers['content-type'] ?? '';
  if (isDicom(type)) {
    yield requestChunks(request.raw);
    return;
  }
  if (!isDicom(parameterOf(type, 'type') ?? dicom)) throw new UnsupportedMediaType();
  for await (const { contentType, body } of partsIn(request, type)) {
    if (contentType !== null && !isDicom(contentType)) throw new UnsupportedMediaType();
    yield body;
  }
}

interface ReplyForm {
  readonly type: string;
  readonly isXml: boolean;
}

const replyFormFor = (range: MediaRange): ReplyForm | null => {
  const json = jsonTypeFor(range);
  if (json !== null) return { type: json, isXml: false };
  const xml = xmlTypeFor(range);
  return xml === null ? null : { type: xml, isXml: true };
};

/** Registers storing (STOW-RS, PS3.18 10.5). Objects go the way of every import: into a record, or to the users of the clinic who decide. */
export const dicomWebStoreRoutes = (scope: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, receiver, limits } = deps;
  // The handlers stream the bodies themselves.
  scope.addContentTypeParser([dicom, related], (_request, _payload, done) => done(null));

  /** @throws ProblemError 'not-found' */
  const senderOf = async ({ accountId }: Principal, customerId: string): Promise<ObjectSender> => {
    const common = { customerId, source: 'dicomweb', sourceId: accountId } as const;
    const service = await serviceAccountById(db, accountId);
    if (service) return { ...common, sourceName: service.name, accountId: null, atOnce: service.atOnce };
    const account = await accountById(db, accountId);
    if (!account) throw new ProblemError('not-found');
    return { ...common, sourceName: `${account.firstName} ${account.lastName}`, accountId, atOnce: false };
  };

  const storeAll = async (request: FastifyRequest, sender: ObjectSender, studyUid: string | undefined) => {
    const outcomes: StoreOutcome[] = [];
    try {
      for await (const object of objectsIn(request)) {
        if (outcomes.length === limits.filesPerImport)
          throw new ProblemError('too-many-files', [{ fieldKey: 'file', vars: { max: limits.filesPerImport } }]);
        outcomes.push(await storeObject(deps, sender, object, studyUid));
      }
    } finally {
      await receiver.finish(outcomes.flatMap(({ taskId }) => taskId ?? []));
    }
    if (outcomes.length === 0) throw new ProblemError('invalid-request', [{ fieldKey: 'request' }]);
    return outcomes;
  };

  /** Metadata and bulk data in parts of their own. */
  const storeDescribed = async (request: FastifyRequest, sender: ObjectSender, studyUid: string | undefined) => {
    const store = createDescribedStore(deps, sender, studyUid);
    try {
      for await (const part of partsIn(request, request.headers['content-type'] ?? '')) await store.add(part);
      store.end();
    } finally {
      await store.close();
      await receiver.finish(store.outcomes.flatMap(({ taskId }) => taskId ?? []));
    }
    if (store.outcomes.length === 0) throw new ProblemError('invalid-request', [{ fieldKey: 'request' }]);
    return store.outcomes;
  };

  interface StoreCall {
    readonly principal: Principal;
    readonly params: { readonly clinic: string; readonly study?: string };
    readonly query: { readonly accept?: string | undefined };
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
  }

  const store = async ({ principal, params: { clinic, study }, query, request, reply }: StoreCall) => {
    try {
      if (!canUseClinic(principal, clinic) || !(await isCustomer(db, clinic))) throw new ProblemError('not-found');
      const form = chosenBy(acceptedBy(request, query.accept), replyFormFor);
      const storeParts = isDescribed(request.headers['content-type'] ?? '') ? storeDescribed : storeAll;
      const outcomes = await storeParts(request, await senderOf(principal, clinic), study);
      const json = storeJson(outcomes, rootOf(deps, clinic));
      const body = form.isXml ? storeXml(json) : JSON.stringify(json);
      return reply.code(storeStatus(outcomes)).type(form.type).send(Buffer.from(body));
    } catch (error) {
      drainRequest(request.raw);
      throw error;
    }
  };

  bind(scope, binding, dicomWebStore, store);
  bind(scope, binding, dicomWebStoreStudy, store);
};
