import { createHash } from 'node:crypto';

/** Crockford's base 32: no letter that looks like another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 7;

/** `import-study` -> `IMPO-`: told apart by the rest, recognised by the beginning. */
const beginningOf = (machine: string) =>
  machine
    .replaceAll(/[^a-z]/g, '')
    .slice(0, 4)
    .toUpperCase();

/** The number of a path. It depends on its steps alone, so that it stays when other paths come and go. */
export const numberOf = (machine: string, model: string, way: readonly string[]): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([machine, model, ...way]))
    .digest();
  const written = [...hash.subarray(0, length)].map((byte) => digits[byte % digits.length]);
  return `${beginningOf(machine)}-${written.join('')}`;
};
