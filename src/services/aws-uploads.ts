import { awsBegin, awsComplete } from '../../contract/aws-uploads.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { AddressSpent, sendMissingParts } from './aws-parts.ts';
import type { Call } from './call.ts';
import { failureOf, isRefusedAs, ServiceError } from './failure.ts';
import { browserLine, type Line, type Patience, patiently, pause } from './patience.ts';
import { createTurns, type Turns } from './turns.ts';
import type { SendableFile } from './upload-batch.ts';
import { FileGone } from './upload-parts.ts';
import type { AwsNames, FileToSend, UploadFiles } from './uploads.ts';
import type { SendPart } from './xhr-put.ts';

export interface AwsUploadsDependencies {
  readonly call: Call;
  readonly sendPart: SendPart;
  /** Shared by all imports: parts on their way at a time. */
  readonly turns?: Turns;
  readonly line?: Line;
  /** Pauses before something is sent again, in milliseconds; the last one again and again. */
  readonly pausesMs?: readonly number[];
}

/** Files of one import at a time: twice the parts, so that while one asks the archive the bytes of another use the line. */
const parallel = 8;

/** Times that an upload may stand no further than before. */
const mostStandstills = 5;

/** Refusals that concern the one file; any other concerns the whole import. */
const ofTheFile: readonly ProblemCode[] = ['too-large', 'too-many-files', 'too-deep', 'invalid-request'];

const where = `${awsComplete.method} ${awsComplete.path}`;

/**
 * Sends the files of an import straight to the object store, in parts, several at a time. The archive says which parts are missing and signs
 * an address for each; the store hears nothing but the bytes. Whatever breaks off, the same key finds what has arrived: stopping and starting
 * again goes on where it stopped.
 */
export const createAwsUploads = (deps: AwsUploadsDependencies): UploadFiles => {
  const { call, sendPart, turns = createTurns(4) } = deps;
  const { line = browserLine, pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000] } = deps;

  return (taskId, files, news) => {
    const controller = new AbortController();
    const { signal } = controller;
    let names: AwsNames | null = null;
    let isWaiting = false;
    const tell = (say: () => void) => {
      if (!signal.aborted) say();
    };
    const tellWaiting = (next: boolean) => {
      if (isWaiting === next) return;
      tell(() => news.onWaiting(next));
      isWaiting = next;
    };
    const patience: Patience = {
      ...{ signal, line, pausesMs },
      onNoAnswer: () => tellWaiting(true),
      onAnswer: () => tellWaiting(false),
    };

    /** Sends what is missing and has it put together. False: something was missing still, or the addresses were spent. */
    const bringNearer = async (one: SendableFile, begun: Awaited<ReturnType<typeof begin>>): Promise<boolean> => {
      try {
        await sendMissingParts({
          ...{ one, begun, sendPart, patience },
          inTurn: (until, work) => turns.run(taskId, until, work),
          onProgress: (loaded, before) => tell(() => news.onProgress(one.key, loaded, before)),
        });
        await patiently(() => call(awsComplete, { body: { id: taskId, key: one.key }, signal }), patience);
        return true;
      } catch (error) {
        if (signal.aborted || !(error instanceof AddressSpent || isRefusedAs(failureOf(error), 'conflict')))
          throw error;
        return false;
      }
    };

    const begin = ({ key, path, file }: SendableFile) =>
      patiently(() => call(awsBegin, { body: { id: taskId, key, path, sizeBytes: file.size }, signal }), patience);

    /** Until the file stands in the ledger. @throws ServiceError drift when it does not get further; FileGone */
    const sendFile = async (one: SendableFile): Promise<void> => {
      let furthest = -1;
      let standstills = 0;
      for (;;) {
        const begun = await begin(one);
        const { awsFileName, awsDirectroryKey, receivedBytes, fileId } = begun;
        names = { awsFileName, awsDirectroryKey };
        if (fileId !== null || (await bringNearer(one, begun))) return;
        standstills = receivedBytes > furthest ? 0 : standstills + 1;
        if (standstills > mostStandstills) throw new ServiceError({ kind: 'drift', where });
        furthest = Math.max(furthest, receivedBytes);
        if (standstills > 0) await pause(pausesMs[0] ?? 0, signal, line);
      }
    };

    const sendOne = async ({ key, path, file }: FileToSend): Promise<void> => {
      if (!file) return tell(() => news.onLost(key));
      try {
        await sendFile({ key, path, file });
        tell(() => news.onTaken(key));
      } catch (error) {
        if (error instanceof FileGone) return tell(() => news.onLost(key));
        const failure = failureOf(error);
        if (signal.aborted || failure.kind !== 'refused' || !ofTheFile.includes(failure.code)) throw error;
        tell(() => news.onRefused(key, failure));
      }
    };

    const waiting = [...files];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(next);
    };
    Promise.all(Array.from({ length: parallel }, work)).then(
      () => tell(() => news.onFinished(names)),
      (error: unknown) => {
        if (signal.aborted) return;
        controller.abort();
        news.onBroken(failureOf(error));
      },
    );
    return () => controller.abort();
  };
};
