import {
  CommandProblem,
  type CommandSet,
  maxCommandBytes,
  readCommandSet,
  writeCommandSet,
} from '../message/command-set.ts';
import { hasDataSet, type Message, noDataSet, withDataSet } from '../message/message.ts';
import type { Fragment } from '../pdu/fragment-reader.ts';
import { abortReasons } from '../pdu/pdu.ts';
import { type AssociationEnd, selectEnd, selectIsOver, selectMustAnswerRelease } from './association.machine.ts';
import { AssociationError } from './association-error.ts';
import type { Link } from './link.ts';

/** An accepted presentation context. */
export interface Context {
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntax: string;
}

export interface AssociationFacts {
  readonly callingAeTitle: string;
  readonly calledAeTitle: string;
  /** Address of the peer. */
  readonly address: string;
  readonly contexts: ReadonlyMap<number, Context>;
  /** SOP classes of which the requestor is the provider. */
  readonly requestorProvides: ReadonlySet<string>;
  /** Largest P-DATA-TF that the peer accepts. */
  readonly peerMaxPduBytes: number;
}

export interface Association extends AssociationFacts {
  /** Returns the next message, and null when the peer requests the release. The rest of an unread data set is skipped. @throws AssociationError */
  receive(): Promise<Message | null>;
  /** Whether the peer has begun to send something that was not read. */
  hasInput(): boolean;
  /**
   * Sends a message; `dataSet` is encoded in the transfer syntax of the context. Not two at once.
   * @throws AssociationError; errors of `dataSet`, which abort the association
   */
  send(contextId: number, command: CommandSet, dataSet?: AsyncIterable<Uint8Array>): Promise<void>;
  /** Answers the request of the peer to release the association. */
  answerRelease(): void;
  /** Ends the association in order. @throws AssociationError */
  release(): Promise<void>;
  abort(): void;
  /** Whether the association is over, so that nothing can be sent. */
  hasEnded(): boolean;
  /** Resolves when the connection is closed. */
  readonly ended: Promise<AssociationEnd>;
}

/** Exchanges messages over an association that is established. */
export const createAssociation = (link: Link, facts: AssociationFacts): Association => {
  /** The fragment of a data set that is being read; null between messages. */
  let current: Fragment | null = null;

  const abort = () => link.send({ type: 'abort.requested' });

  const broken = (message: string): AssociationError => {
    link.send({ type: 'invalid-pdu.received', reason: abortReasons.invalidParameter });
    return new AssociationError(selectEnd(link.snapshot()) ?? 'aborted', message);
  };

  const fragmentOf = (fragment: Fragment | null, contextId: number, isCommand: boolean): Fragment => {
    if (!fragment) throw broken('A message is cut by the request to release');
    if (fragment.contextId !== contextId || fragment.isCommand !== isCommand)
      throw broken('The fragments of two messages are mixed');
    return fragment;
  };

  const commandBytes = async (first: Fragment): Promise<Buffer> => {
    const parts: Buffer[] = [];
    let length = 0;
    for (let fragment = first; ; fragment = fragmentOf(await link.nextFragment(), first.contextId, true)) {
      for (let part = await link.payload(); part; part = await link.payload()) {
        parts.push(part);
        length += part.length;
        if (length > maxCommandBytes) throw broken('The command set is too long');
      }
      if (fragment.isLast) return Buffer.concat(parts, length);
    }
  };

  const commandOf = (bytes: Buffer): CommandSet => {
    try {
      return readCommandSet(bytes);
    } catch (problem) {
      if (!(problem instanceof CommandProblem)) throw problem;
      abort();
      throw new AssociationError('aborted', problem.message);
    }
  };

  const nextPart = async (contextId: number): Promise<Buffer | null> => {
    while (current) {
      const part = await link.payload();
      if (part) return part;
      current = current.isLast ? null : fragmentOf(await link.nextFragment(), contextId, false);
    }
    return null;
  };

  /** Has no `return`: who stops early can go on, and `receive` skips the rest. */
  const dataSetOf = (contextId: number): AsyncIterable<Buffer> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = await nextPart(contextId);
        return value ? { value, done: false } : { value: undefined, done: true };
      },
    }),
  });

  const receive = async (): Promise<Message | null> => {
    while (current && (await nextPart(current.contextId)));
    const first = await link.nextFragment();
    if (!first) return null;
    if (!first.isCommand) throw broken('A data set comes without a command set');
    if (!facts.contexts.has(first.contextId)) throw broken('The presentation context was not accepted');
    const { contextId } = first;
    const command = commandOf(await commandBytes(first));
    if (!hasDataSet(command)) return { contextId, command, dataSet: null };
    current = fragmentOf(await link.nextFragment(), contextId, false);
    return { contextId, command, dataSet: dataSetOf(contextId) };
  };

  const send = async (contextId: number, command: CommandSet, dataSet?: AsyncIterable<Uint8Array>) => {
    const bytes = writeCommandSet({ ...command, dataSetType: dataSet ? withDataSet : noDataSet });
    await link.writeFragments(facts.peerMaxPduBytes, { contextId, isCommand: true }, [bytes]);
    if (!dataSet) return;
    try {
      await link.writeFragments(facts.peerMaxPduBytes, { contextId, isCommand: false }, dataSet);
    } catch (error) {
      // Half a message cannot be taken back.
      abort();
      throw error;
    }
  };

  const answerRelease = () => link.send({ type: 'release.answered' });

  const release = async () => {
    link.send({ type: 'release.requested' });
    while (!selectIsOver(link.snapshot())) {
      if (selectMustAnswerRelease(link.snapshot())) answerRelease();
      else
        await link.nextFragment().catch((error) => {
          if (!(error instanceof AssociationError) || error.end !== 'released') throw error;
        });
    }
  };
  return {
    ...facts,
    receive,
    hasInput: link.hasInput,
    send,
    answerRelease,
    release,
    abort,
    hasEnded: () => selectIsOver(link.snapshot()),
    ended: link.ended,
  };
};
