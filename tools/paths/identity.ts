import { createHash } from 'node:crypto';

/** Crockford's base 32 has no digits that look alike. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 7;

/** `import-study` -> `IMPO`. */
const prefixOf = (machine: string) =>
  machine
    .replaceAll(/[^a-z]/g, '')
    .slice(0, 4)
    .toUpperCase();

/** Returns the number of a path. It depends on the steps alone and stays when other paths are added or removed. */
export const numberOf = (machine: string, model: string, events: readonly string[]): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([machine, model, ...events]))
    .digest();
  const characters = [...hash.subarray(0, length)].map((byte) => digits[byte % digits.length]);
  return `${prefixOf(machine)}-${characters.join('')}`;
};
