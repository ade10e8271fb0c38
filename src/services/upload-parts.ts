import { importPart, importPartsBegin } from '../../contract/uploads.ts';
import { type Call, queryText, type WithBearer } from './call.ts';
import { failureOf, isRefusedAs, ServiceError } from './failure.ts';
import { type Patience, patiently, pause } from './patience.ts';
import { isReadable, replyOf, type SendableFile } from './upload-batch.ts';
import type { SendBytes } from './xhr-send.ts';

export interface PartsDependencies {
  readonly origin: string;
  readonly call: Call;
  readonly withBearer: WithBearer;
  readonly sendBytes: SendBytes;
}

export interface PartsOf {
  readonly taskId: string;
  readonly one: SendableFile;
  readonly partBytes: number;
  readonly patience: Patience;
  /** Called for each request: it waits for a turn. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** `arrivedBefore`: these bytes were there already. */
  readonly onProgress: (loadedBytes: number, arrivedBefore: boolean) => void;
}

const where = `${importPart.method} ${importPart.path}`;

/** The bytes can no longer be read: a person must choose the file again. */
export class FileGone extends Error {}

/** Times that the archive may say that it is not further than before. */
const mostStandstills = 5;

/**
 * Sends a large file in parts, from where the archive says that it stopped: in this session or an earlier one. Resolves when the archive
 * acknowledged the whole file.
 * @throws ServiceError refused; drift when it does not get further. FileGone
 */
export const sendInParts = async (deps: PartsDependencies, sending: PartsOf): Promise<void> => {
  const { origin, call, withBearer, sendBytes } = deps;
  const { taskId: id, one, partBytes, patience, inTurn, onProgress } = sending;
  const { key, path, file } = one;
  const { signal } = patience;

  const begin = () =>
    patiently(
      () => inTurn(() => call(importPartsBegin, { body: { id, key, path, sizeBytes: file.size }, signal })),
      patience,
    );

  const sendPart = (offset: number) =>
    inTurn(async () => {
      const answer = await withBearer((bearer) =>
        sendBytes({
          url: `${origin}${importPart.path}?${queryText({ id, key, offset })}`,
          bearer,
          bytes: file.slice(offset, offset + partBytes),
          signal,
          onProgress: (loaded) => onProgress(Math.min(offset + loaded, file.size), false),
        }),
      );
      return replyOf(answer, importPart.reply, where);
    });

  let furthest = -1;
  let standstills = 0;
  for (;;) {
    let state = await begin();
    if (!state.file) onProgress(state.receivedBytes, true);
    if (state.receivedBytes > furthest) standstills = 0;
    else standstills += 1;
    if (standstills > mostStandstills) throw new ServiceError({ kind: 'drift', where });
    furthest = Math.max(furthest, state.receivedBytes);
    try {
      while (!state.file) {
        state = await sendPart(state.receivedBytes);
        patience.onAnswer();
      }
      if (state.file.sizeBytes !== file.size) throw new ServiceError({ kind: 'drift', where });
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failureOf(error);
      const isBusy = failure.kind === 'refused' && (failure.status >= 500 || failure.status === 429);
      if (failure.kind === 'offline') {
        if (!(await isReadable(one))) throw new FileGone();
        patience.onNoAnswer();
      }
      if (failure.kind !== 'offline' && !isBusy && !isRefusedAs(failure, 'conflict')) throw error;
      // What of the part arrived counts: the archive is asked how far it is. Without a line that question waits by itself.
      if (failure.kind === 'offline') standstills = 0;
      await pause(patience.pausesMs[0] ?? 0, signal, patience.line);
    }
  }
};
