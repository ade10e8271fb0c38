import { importAwsDirectoryParse, importAwsParse } from '../../contract/aws-uploads.ts';
import {
  importBegin,
  importCancel,
  importConfirm,
  importDecide,
  importDirectoryConfirm,
  importDirectoryParse,
  importGet,
  importParse,
  importRetry,
} from '../../contract/import-calls.ts';
import type { ImportDecision, ImportKind, ImportStudy } from '../../contract/imports.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';
import { type Failure, failureOf } from './failure.ts';
import type { AwsNames } from './uploads.ts';

/** `id`: the idempotency key; null lets the archive choose one. */
type BeginRequest = Omit<BodyOf<typeof importBegin>, 'id'> & { readonly id: string | null };

interface ParseRequest {
  readonly taskId: string;
  /** A folder with a DICOMDIR, not a zip. */
  readonly folder: boolean;
  readonly aws: AwsNames | null;
}

interface StudyDecision {
  readonly key: string;
  readonly decision: Partial<ImportDecision>;
}

/** The updated study, or why the archive rejected the decision. */
type DecisionReply = { readonly study: ImportStudy } | { readonly key: string; readonly failure: Failure };

const parseImport = (call: Call, { taskId: id, folder, aws }: ParseRequest, signal: AbortSignal) => {
  if (!aws) return call(folder ? importDirectoryParse : importParse, { body: { id }, signal });
  const { awsFileName, awsDirectroryKey } = aws;
  return folder
    ? call(importAwsDirectoryParse, { body: { id, awsDirectroryKey }, signal })
    : call(importAwsParse, { body: { id, awsFileName }, signal });
};

/** Creates the calls of one import. Each throws ServiceError, except `decide`. */
export const createImportCalls = (call: Call) => ({
  begin: ({ id, ...facts }: BeginRequest, signal: AbortSignal) =>
    call(importBegin, { body: { ...facts, ...(id && { id }) }, signal }),
  /** The import leaves the tray at once, so the request must outlive the page. */
  withdraw: (taskId: string) => call(importCancel, { body: { id: taskId }, keepalive: true }),
  parse: (request: ParseRequest, signal: AbortSignal) => parseImport(call, request, signal),
  /** Not aborted: decisions are saved even if the user leaves. */
  decide: (taskId: string, decisions: readonly StudyDecision[]): Promise<readonly DecisionReply[]> =>
    Promise.all(
      decisions.map(({ key, decision }) =>
        call(importDecide, { body: { ...decision, id: taskId, key } }).then(
          (study) => ({ study }),
          (error: unknown) => ({ key, failure: failureOf(error) }),
        ),
      ),
    ),
  confirm: (taskId: string, kind: ImportKind, signal: AbortSignal) =>
    call(kind === 'dicomdir' ? importDirectoryConfirm : importConfirm, {
      body: { id: taskId, mismatchConfirmed: false },
      signal,
    }),
  retry: (taskId: string, signal: AbortSignal) => call(importRetry, { body: { id: taskId }, signal }),
  get: (taskId: string, signal: AbortSignal) => call(importGet, { params: { id: taskId }, signal }),
});
