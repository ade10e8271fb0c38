import { z } from 'zod';
import type { Seal } from '../db/stores/access-log-seals.ts';

const anchor = z.object({ seal: z.number().int().positive(), hash: z.string(), mac: z.string().nullable() });

/** Returns a seal as a line to keep outside of the database. An attacker who rewrites entries and seals cannot rewrite it. */
export const anchorLine = ({ id, hash, mac }: Seal): string => JSON.stringify({ seal: id, hash, mac });

/** Reads the lines of `anchorLine`; null when one is something else. */
export const readAnchors = (text: string): readonly Seal[] | null => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const seals = lines.map((line) => {
    try {
      return anchor.safeParse(JSON.parse(line)).data;
    } catch {
      return undefined;
    }
  });
  const valid = seals.flatMap((one) => (one ? [{ id: one.seal, hash: one.hash, mac: one.mac }] : []));
  return valid.length === lines.length ? valid : null;
};
