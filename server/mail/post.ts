import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import {
  askForLetter,
  forgetLetter,
  letterWasSent,
  takeLetter,
  tryLetterLater,
  type WaitingLetter,
  type Wish,
} from '../db/stores/letters.ts';
import { Refusal } from '../refusal.ts';
import { startLanes } from '../resource/lanes.ts';
import { type Carrier, type Letter, NotSent } from './letter.ts';

/** What a wish became. */
export interface Ready {
  readonly letter: Letter;
  readonly accountId: string;
  /** Called once: makes good what the letter says, or takes it back. */
  settle(isSent: boolean): Promise<void>;
}

export interface PostOptions {
  readonly db: Kysely<Schema>;
  readonly carrier: Carrier;
  /** Makes the letter at the moment of sending, so that no secret waits in a table. Null: there is nobody to write to. */
  readonly prepare: (wish: WaitingLetter) => Promise<Ready | null>;
  readonly onFailure: (error: unknown) => void;
  /** Of the first repetition; the next ones come later and later. */
  readonly retrySeconds?: number;
}

export interface Post {
  /** The wish is on disk when this resolves. The letter goes out a moment later, and again and again until the mail server has it. */
  ask(wish: Wish): Promise<void>;
  /** There is something to send. */
  wake(): void;
  /** Sends at once, for somebody who waits for the outcome. @throws Refusal 'cannot-send-email'; 'too-many-requests' when none is due */
  sendNow(wish: Wish): Promise<void>;
  /** Resolves when nothing is left that can be sent now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any mail server is waited for. */
const heldSeconds = 300;
const longestRetrySeconds = 900;
const givenUpAfterMs = 24 * 3_600_000;

/** Sends what was asked for, in order of asking; what a node that ended left behind is sent by the next. */
export const openPost = ({ db, carrier, prepare, onFailure, retrySeconds = 30 }: PostOptions): Post => {
  const carry = async (wish: WaitingLetter): Promise<'sent' | 'nobody' | NotSent> => {
    const ready = await prepare(wish);
    if (!ready) return 'nobody';
    try {
      await carrier.send(ready.letter);
    } catch (error) {
      await ready.settle(false);
      if (error instanceof NotSent) return error;
      throw error;
    }
    await letterWasSent(db, wish.id, ready.accountId);
    await ready.settle(true);
    return 'sent';
  };

  const sendOne = async (): Promise<boolean> => {
    const wish = await takeLetter(db, heldSeconds);
    if (!wish) return false;
    const outcome = await carry(wish);
    if (outcome === 'sent') return true;
    const isOver = outcome === 'nobody' || outcome.isFinal || Date.now() - wish.askedAt.getTime() > givenUpAfterMs;
    if (isOver) await forgetLetter(db, wish.id);
    else await tryLetterLater(db, wish.id, Math.min(longestRetrySeconds, retrySeconds * 2 ** (wish.tries - 1)));
    if (outcome !== 'nobody') onFailure(outcome);
    return true;
  };

  const lanes = startLanes({
    ...{ parallel: 1, pollSeconds: Math.min(15, retrySeconds), workOne: sendOne },
    // A lane that failed (the database was away, say) leaves the letter held; it is due again after that.
    onFailure,
  });

  return {
    ask: async (wish) => void (await askForLetter(db, wish)),
    wake: lanes.wake,
    sendNow: async (wish) => {
      const id = await askForLetter(db, wish, heldSeconds);
      const taken = await takeLetter(db, heldSeconds, id);
      const outcome = taken ? await carry(taken) : 'nobody';
      if (outcome === 'sent') return;
      await forgetLetter(db, id);
      if (outcome === 'nobody') throw new Refusal('too-many-requests');
      onFailure(outcome);
      throw new Refusal('cannot-send-email');
    },
    idle: lanes.idle,
    close: async () => {
      await lanes.close();
      carrier.close();
    },
  };
};
