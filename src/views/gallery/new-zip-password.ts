/** Letters and digits that are not mistaken for each other when read out. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 5;
const groupLength = 4;

/** Returns a password of 99 random bits in groups of four, such as `k7mw-3xqa-…`. */
export const newZipPassword = (): string => {
  const text: string[] = [];
  // Values of 248 and above are skipped, so that all 31 characters are equally likely.
  while (text.length < groups * groupLength)
    for (const value of crypto.getRandomValues(new Uint8Array(64)))
      if (value < 8 * characters.length && text.length < groups * groupLength)
        text.push(characters[value % characters.length] ?? '');
  return Array.from({ length: groups }, (_, group) =>
    text.slice(group * groupLength, (group + 1) * groupLength).join(''),
  ).join('-');
};
