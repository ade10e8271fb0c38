/** Returns the number of characters to insert, remove or replace (Levenshtein). */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (other[at - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

const withoutPrefix = (name: string): string => name.replace(/^DENTARIUM_/, '');

/** Returns the known name that is most like a misspelt one. The prefix of the product does not count. */
export const nearestName = (name: string, known: readonly string[]): string => {
  const byDistance = known.map((one) => ({ one, far: distance(withoutPrefix(name), withoutPrefix(one)) }));
  return byDistance.sort((left, right) => left.far - right.far)[0]?.one ?? '';
};
