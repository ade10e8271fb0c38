import type { JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type KeyGeneration, readGenerations, rotateByAge, signingAlgorithm } from './key-generations.ts';
import type { KeySettings } from './key-settings.ts';

/** The keys of one moment. */
export interface KeyRing {
  /** With their private halves; the first one signs, the others are published. */
  readonly tokens: readonly JWK[];
  /** The first one signs. */
  readonly cookies: readonly string[];
  /** Differs when anything of it does. */
  readonly name: string;
}

export interface Keys {
  current(): KeyRing;
  /** The public half; one that this node does not know yet is looked for in the database. */
  verifying(kid: string): Promise<JWK | undefined>;
  /** Looks for what other nodes made. */
  look(): Promise<void>;
  /** Looks regularly, and makes the next key when it is time. Resolves after the first time. */
  maintain(settings: KeySettings, onFailure: (error: unknown) => void): Promise<() => void>;
}

const ringOf = (known: readonly KeyGeneration[], now: number): KeyRing => {
  const begun = known.filter(({ signsFrom }) => signsFrom <= now);
  const signing = begun.at(-1) ?? known[0];
  const ordered = [...known].sort((one, other) => Number(other === signing) - Number(one === signing));
  return {
    tokens: ordered.map(({ jwk }) => ({ ...jwk, alg: signingAlgorithm, use: 'sig' })),
    cookies: ordered.map(({ cookie }) => cookie),
    name: ordered.map(({ jwk }) => jwk.kid).join(' '),
  };
};

/** The keys of this installation: kept in the database, so that sessions outlive a restart and all nodes agree. They rotate by age. */
export const openKeys = async (db: Kysely<Schema>): Promise<Keys> => {
  let known = await readGenerations(db);
  const look = async (): Promise<void> => {
    known = await readGenerations(db);
  };
  const find = (kid: string): JWK | undefined => {
    const found = known.find(({ jwk }) => jwk.kid === kid);
    if (!found) return undefined;
    const { d: _private, ...shown } = found.jwk;
    return { ...shown, alg: signingAlgorithm, use: 'sig' };
  };
  return {
    current: () => ringOf(known, Date.now()),
    look,
    verifying: async (kid) => {
      if (!find(kid)) await look();
      return find(kid);
    },
    maintain: async ({ signDays, lookEverySeconds }, onFailure) => {
      const maintain = async (): Promise<void> => {
        await rotateByAge(db, signDays);
        await look();
      };
      await maintain();
      const timer = setInterval(() => void maintain().catch(onFailure), lookEverySeconds * 1000);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
};
