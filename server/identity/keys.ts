import type { JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Vault } from '../db/vault.ts';
import { type KeyGeneration, readGenerations, rotateByAge, signingAlgorithm } from './key-generations.ts';
import type { KeySettings } from './key-settings.ts';

/** The keys at one moment. */
export interface KeyRing {
  /** With private parts; the first one signs, the others are published. */
  readonly tokens: readonly JWK[];
  /** The first one signs. */
  readonly cookies: readonly string[];
  /** Changes whenever any key changes. */
  readonly name: string;
}

export interface Keys {
  current(): KeyRing;
  /** Returns the public key; an id unknown to this node is looked up in the database. */
  verifying(kid: string): Promise<JWK | undefined>;
  /** Loads keys created by other nodes. */
  refresh(): Promise<void>;
  /** Refreshes and rotates the keys regularly. Resolves after the first run. */
  maintain(settings: KeySettings, onFailure: (error: unknown) => void): Promise<() => void>;
}

const ringOf = (generations: readonly KeyGeneration[], now: number): KeyRing => {
  const active = generations.filter(({ signsFrom }) => signsFrom <= now);
  const signing = active.at(-1) ?? generations[0];
  const ordered = [...generations].sort((one, other) => Number(other === signing) - Number(one === signing));
  return {
    tokens: ordered.map(({ jwk }) => ({ ...jwk, alg: signingAlgorithm, use: 'sig' })),
    cookies: ordered.map(({ cookie }) => cookie),
    name: ordered.map(({ jwk }) => jwk.kid).join(' '),
  };
};

/** Opens the keys of this installation. They are stored encrypted in the database, so that sessions survive restarts and all nodes share them. */
export const openKeys = async (db: Kysely<Schema>, vault: Vault): Promise<Keys> => {
  let generations = await readGenerations(db, vault);
  const look = async (): Promise<void> => {
    generations = await readGenerations(db, vault);
  };
  const find = (kid: string): JWK | undefined => {
    const found = generations.find(({ jwk }) => jwk.kid === kid);
    if (!found) return undefined;
    const { d: _private, ...shown } = found.jwk;
    return { ...shown, alg: signingAlgorithm, use: 'sig' };
  };
  return {
    current: () => ringOf(generations, Date.now()),
    refresh: look,
    verifying: async (kid) => {
      if (!find(kid)) await look();
      return find(kid);
    },
    maintain: async ({ signDays, refreshSeconds: lookEverySeconds }, onFailure) => {
      const maintain = async (): Promise<void> => {
        await rotateByAge(db, vault, signDays);
        await look();
      };
      await maintain();
      const timer = setInterval(() => void maintain().catch(onFailure), lookEverySeconds * 1000);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
};
